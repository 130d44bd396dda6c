(* In the place of definitions that take a time quadratic in the length on integers of zarith. *)

(* the number whose bit i is entry i of a list *)
let number_of bits =
  let bytes = Bytes.make ((List.length bits / 8) + 1) '\000' in
  let set i bit =
    if bit then Bytes.set_uint8 bytes (i / 8) (Bytes.get_uint8 bytes (i / 8) lor (1 lsl (i mod 8))) in
  List.iteri set bits;
  Z.of_bits (Bytes.to_string bytes)

let count_ones n = Z.of_int (Z.popcount n)
