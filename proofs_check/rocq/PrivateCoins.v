(* What protocols without public coins cannot do. *)
From Coq Require Import String ZArith QArith Bool List.
From CCSim Require Import Definitions OneWay Json.
Local Open Scope Q_scope.

(* the error that a form of proof forces: rows, columns, the table, messages, coins, form, data *)
Definition private_lower (n m : nat) (F : list (list (option bool))) (k : N) (w : coins)
  (name : string) (data : json) : option Q := None.

Theorem private_lower_sound n m F k w name data v : private_lower n m F k w name data = Some v ->
  forall e, reached w n m (of_table F) (N.to_nat k) e -> v <= e.
Proof. discriminate. Qed.
