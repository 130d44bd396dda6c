(* Reads a mistake tree and a refutation, and asks the proved checker of the dimension of halfspaces
   on {0,1}^d whether the dimension is n.  This file is not proved: it keeps nothing back, and only
   what the checker accepts is reported. *)
open Cube_checker

let tree path d n =
  let channel = open_in_bin path in
  let signed () = let b = input_byte channel in if b < 128 then b else b - 256 in
  let shared = Hashtbl.create 65536 in (* equal weights once, to save memory *)
  let weights () =
    let rec some k = if k = 0 then [] else let a = signed () in a :: some (k - 1) in
    let w = some d in
    let t = signed () in
    match Hashtbl.find_opt shared (w, t) with
    | Some leaf -> leaf
    | None -> let leaf = Weights (w, t) in Hashtbl.add shared (w, t) leaf; leaf in
  let rec node k =
    if k = 0 then weights ()
    else
      let x = input_byte channel in
      let left = node (k - 1) in
      Split (x, left, node (k - 1)) in
  let found = node n in
  close_in channel;
  found

let spaces path =
  let channel = Scanf.Scanning.open_in path in
  let number () = (* a natural number: the checker takes machine integers for them *)
    let a = Scanf.bscanf channel " %d" (fun a -> a) in
    if a < 0 || a > 1 lsl 30 then (prerr_endline "a number is negative or too large"; exit 2);
    a in
  let list read =
    let rec some k = if k = 0 then [] else let a = read () in a :: some (k - 1) in
    some (number ()) in
  let literal () = let v = number () in (v / 2, v land 1 = 1) in
  let move () = match number () with 16 -> Turn | c when c >= 8 -> Swap (c - 8) | c -> Flip c in
  let step () =
    let point = number () in
    let label = number () = 1 in
    let ref = number () in
    { point; label; ref; word = list move } in
  let space () =
    let depth = number () in
    let known = list literal in
    { known; depth; steps = list step } in
  list space

let () =
  let d = int_of_string Sys.argv.(1) and n = int_of_string Sys.argv.(2) in
  if d < 1 || d > 6 || n < 0 || n > 60 then (prerr_endline "1 <= d <= 6 and 0 <= n <= 60"; exit 2);
  let timed what check =
    let start = Sys.time () in
    let right = check () in
    Printf.printf "%s: %s in %.1f s\n%!" (if right then "proved" else "REJECTED") what (Sys.time () -. start);
    right in
  let lower = timed (Printf.sprintf "halfspaces on {0,1}^%d have a mistake tree of depth %d" d n)
      (fun () -> check_grown d n (tree Sys.argv.(3) d n) []) in
  let upper = timed (Printf.sprintf "they have none of depth %d" (n + 1))
      (fun () -> check_refutation d n (spaces Sys.argv.(4))) in
  exit (if lower && upper then 0 else 4)
