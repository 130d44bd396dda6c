(* Reads certificates and asks the proved checkers.  This file is not proved: it turns the text of a
   file into a tree, keeps nothing back, and prints the digest of the instance that it has read. *)
module Int = Z
open Checkers

exception Unreadable of string

let fail place what = raise (Unreadable (Printf.sprintf "byte %d: %s" place what))

(* ---- JSON: integers only, no key twice in one object ---- *)

let parse text =
  let n = String.length text and i = ref 0 in
  let peek () = if !i < n then text.[!i] else '\000' in
  let skip () = while !i < n && String.contains " \t\r\n" text.[!i] do incr i done in
  let expect c = if peek () = c && !i < n then incr i else fail !i (Printf.sprintf "%C is missing" c) in
  let word w value =
    if !i + String.length w <= n && String.sub text !i (String.length w) = w
    then (i := !i + String.length w; value) else fail !i "not JSON" in
  let hexadecimal () =
    if !i + 4 > n then fail !i "not JSON";
    let digit c = match c with
      | '0' .. '9' -> Char.code c - 48 | 'a' .. 'f' -> Char.code c - 87 | 'A' .. 'F' -> Char.code c - 55
      | _ -> fail !i "not JSON" in
    let code = ref 0 in
    for _ = 1 to 4 do code := 16 * !code + digit text.[!i]; incr i done;
    !code in
  let string () =
    expect '"';
    let b = Buffer.create 16 in
    let rec next () =
      if !i >= n then fail !i "a text has no end";
      let c = text.[!i] in
      incr i;
      match c with
      | '"' -> Buffer.contents b
      | '\\' ->
          let e = peek () in
          incr i;
          (match e with
           | '"' | '\\' | '/' -> Buffer.add_char b e
           | 'b' -> Buffer.add_char b '\b' | 'f' -> Buffer.add_char b '\012'
           | 'n' -> Buffer.add_char b '\n' | 'r' -> Buffer.add_char b '\r' | 't' -> Buffer.add_char b '\t'
           | 'u' ->
               let high = hexadecimal () in
               let code =
                 if high land 0xFC00 = 0xD800 && !i + 6 <= n && text.[!i] = '\\' && text.[!i + 1] = 'u'
                 then (i := !i + 2; 0x10000 + ((high land 0x3FF) lsl 10) lor (hexadecimal () land 0x3FF))
                 else high in
               Buffer.add_utf_8_uchar b
                 (if Uchar.is_valid code then Uchar.of_int code else Uchar.rep)
           | _ -> fail !i "not JSON");
          next ()
      | c when c < ' ' -> fail !i "a control character in a text"
      | c -> Buffer.add_char b c; next () in
    next () in
  let number () =
    let start = !i in
    if peek () = '-' then incr i;
    while peek () >= '0' && peek () <= '9' do incr i done;
    let digits = String.sub text start (!i - start) in
    let bare = if start < n && text.[start] = '-' then String.sub digits 1 (String.length digits - 1) else digits in
    if bare = "" || (String.length bare > 1 && bare.[0] = '0') || String.contains ".eE" (peek ())
    then fail start "not an integer";
    Number (Int.of_string digits) in
  let rec value depth =
    if depth > 100 then fail !i "nested too deep";
    skip ();
    let found = match peek () with
      | '{' -> incr i; members depth
      | '[' -> incr i; items depth
      | '"' -> Text (string ())
      | 'n' -> word "null" Null
      | 't' -> word "true" (Truth true)
      | 'f' -> word "false" (Truth false)
      | _ -> number () in
    skip ();
    found
  and items depth =
    skip ();
    if peek () = ']' then (incr i; Array [])
    else
      let rec more found =
        let found = value (depth + 1) :: found in
        if peek () = ',' then (incr i; more found) else (expect ']'; Array (List.rev found)) in
      more []
  and members depth =
    skip ();
    if peek () = '}' then (incr i; Object [])
    else
      let rec more found =
        skip ();
        let key = string () in
        if List.mem_assoc key found then fail !i "a key occurs twice";
        skip ();
        expect ':';
        let found = (key, value (depth + 1)) :: found in
        if peek () = ',' then (incr i; more found) else (expect '}'; Object (List.rev found)) in
      more [] in
  let found = value 1 in
  if !i < n then fail !i "more than one value";
  found

(* ---- the instance as it has been read: labels by their number, without a name ---- *)

let labels = [ "points"; "concepts"; "labels"; "alice"; "bob"; "records"; "outcomes" ]

let rec write b tree = match tree with
  | Null -> Buffer.add_string b "null"
  | Truth t -> Buffer.add_string b (string_of_bool t)
  | Number z -> Buffer.add_string b (Int.to_string z)
  | Text s -> Buffer.add_string b (Printf.sprintf "\"%s\"" s)
  | Array l ->
      Buffer.add_char b '[';
      List.iteri (fun i each -> if i > 0 then Buffer.add_char b ','; write b each) l;
      Buffer.add_char b ']'
  | Object l ->
      Buffer.add_char b '{';
      List.iteri
        (fun i (key, each) ->
          if i > 0 then Buffer.add_char b ',';
          Buffer.add_string b (Printf.sprintf "\"%s\":" key);
          write b each)
        (List.sort (fun (k, _) (l, _) -> compare k l) l);
      Buffer.add_char b '}'

let plain tree = match tree with
  | Object l when List.mem_assoc "type" l ->
      Object
        (List.filter_map
           (fun (key, each) -> match each with
             | _ when key = "name" -> None
             | Array a when List.mem key labels -> Some (key, Number (Int.of_int (List.length a)))
             | each -> Some (key, each))
           l)
  | tree -> tree

let sha256 text =
  let mask = 0xFFFFFFFF in
  let root exponent n = (* the first 32 bits of the fraction of a root of n *)
    let whole = Int.root (Int.shift_left (Int.of_int n) (32 * exponent)) exponent in
    Int.to_int (Int.logand whole (Int.of_int mask)) in
  let primes =
    let rec more found n =
      if List.length found = 64 then List.rev found
      else more (if List.exists (fun p -> n mod p = 0) found then found else n :: found) (n + 1) in
    Array.of_list (more [] 2) in
  let k = Array.map (root 3) primes and h = Array.map (root 2) (Array.sub primes 0 8) in
  let rotate x n = ((x lsr n) lor (x lsl (32 - n))) land mask in
  let length = String.length text in
  let blocks = (length + 8) / 64 + 1 in
  let byte i =
    if i < length then Char.code text.[i]
    else if i = length then 0x80
    else if i >= (64 * blocks) - 8 then ((8 * length) lsr (8 * ((64 * blocks) - 1 - i))) land 255
    else 0 in
  let w = Array.make 64 0 in
  for block = 0 to blocks - 1 do
    for t = 0 to 63 do
      w.(t) <-
        (if t < 16 then
           let at = (64 * block) + (4 * t) in
           (byte at lsl 24) lor (byte (at + 1) lsl 16) lor (byte (at + 2) lsl 8) lor byte (at + 3)
         else
           let a = w.(t - 15) and b = w.(t - 2) in
           let s0 = rotate a 7 lxor rotate a 18 lxor (a lsr 3)
           and s1 = rotate b 17 lxor rotate b 19 lxor (b lsr 10) in
           (w.(t - 16) + s0 + w.(t - 7) + s1) land mask)
    done;
    let v = Array.copy h in
    for t = 0 to 63 do
      let a = v.(0) and e = v.(4) in
      let s1 = rotate e 6 lxor rotate e 11 lxor rotate e 25
      and choice = (e land v.(5)) lxor (lnot e land mask land v.(6)) in
      let first = (v.(7) + s1 + choice + k.(t) + w.(t)) land mask in
      let s0 = rotate a 2 lxor rotate a 13 lxor rotate a 22
      and majority = (a land v.(1)) lxor (a land v.(2)) lxor (v.(1) land v.(2)) in
      for j = 7 downto 1 do v.(j) <- v.(j - 1) done;
      v.(4) <- (v.(4) + first) land mask;
      v.(0) <- (first + s0 + majority) land mask
    done;
    Array.iteri (fun j x -> h.(j) <- (h.(j) + x) land mask) v
  done;
  String.concat "" (Array.to_list (Array.map (Printf.sprintf "%08x") h))

let digest tree =
  let b = Buffer.create 4096 in
  write b (plain tree);
  sha256 (Buffer.contents b)

(* ---- a line for each certificate of a file: verdict, kind, digest of the instance ---- *)

let read path =
  let channel = if path = "-" then stdin else open_in_bin path in
  set_binary_mode_in channel true;
  let b = Buffer.create 65536 in
  (try while true do Buffer.add_channel b channel 65536 done with End_of_file -> ());
  Buffer.contents b

let judge certificate =
  let at key = match certificate with Object l -> List.assoc_opt key l | _ -> None in
  match at "kind", at "instance" with
  | Some (Text kind), Some instance ->
      let verdict =
        if not (List.mem kind titles) then "unknown"
        else if accepts certificate then "proved"
        else "rejected" in
      print_endline (String.concat "\t" [ verdict; String.escaped kind; digest instance ])
  | _ -> print_endline "rejected\t\t-"

let unreadable what = print_endline (String.concat "\t" [ "unreadable"; String.escaped what; "-" ])

let () =
  Gc.set { (Gc.get ()) with minor_heap_size = 1 lsl 20; space_overhead = 200 };
  match Sys.argv with
  | [| _; path |] -> (
      try List.iter judge (certificates (parse (read path))) with
      | Unreadable what | Sys_error what -> unreadable what
      | Stack_overflow | Out_of_memory | Int.Overflow | Invalid_argument _ -> unreadable "a number or a list is too large")
  | _ -> prerr_endline "one file, or - for the standard input"; exit 2
