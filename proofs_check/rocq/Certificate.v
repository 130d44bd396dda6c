(* Certificates: what a kind of them asks, and what it means that both bounds are proved. *)
From Coq Require Import String ZArith Bool List.
From CCSim Require Import Json.
Import ListNotations.
Local Open Scope string_scope.

(* A kind reads a question from the instance and the parameters of the statement.  For a form of
   proof it decides whether its data prove a bound; what they prove is what the question means. *)
Record kind := Kind {
  title : string;
  parameters : list string;
  question : Type;
  bound : Type;
  ask : json -> list json -> option question;
  number : json -> option bound;
  lower : question -> bound -> string -> json -> bool;
  upper : question -> bound -> string -> json -> bool;
  lower_means : question -> bound -> Prop;
  upper_means : question -> bound -> Prop;
  lower_sound : forall q v name data, lower q v name data = true -> lower_means q v;
  upper_sound : forall q v name data, upper q v name data = true -> upper_means q v
}.

Definition envelope : list string :=
  ["format"; "kind"; "instance"; "statement"; "lower"; "upper"; "made_by"].

(* one side of a statement, which is null exactly when its proof is *)
Definition side {B} (read : json -> option B) (check : B -> string -> json -> bool) (stated proof : json)
  : option (option B) :=
  match stated, proof with
  | Null, Null => Some None
  | Null, _ | _, Null => None
  | _, _ => match read stated, form proof with
            | Some v, Some (name, data) => if check v name data then Some (Some v) else None
            | _, _ => None
            end
  end.

(* the question of a certificate and the bounds that it proves *)
Definition proves (k : kind) (c : json) : option (question k * option (bound k) * option (bound k)) :=
  match fields envelope c with
  | Some [Number 2; Text name; i; s; p; r; _] =>
      match (if String.eqb name (title k) then fields ("lower" :: "upper" :: parameters k) s else None) with
      | Some (l :: u :: values) =>
          let* q := ask k i values in
          let* low := side (number k) (lower k q) l p in
          let* high := side (number k) (upper k q) u r in
          match low, high with None, None => None | _, _ => Some (q, low, high) end
      | _ => None
      end
  | _ => None
  end.

Lemma side_sound {B} read check stated proof (v : B) :
  side read check stated proof = Some (Some v) -> exists name data, check v name data = true.
Proof.
  unfold side. destruct (read stated) as [w|], (form proof) as [[name data]|];
    try (destruct stated, proof; discriminate).
  destruct (check w name data) eqn:C; [|destruct stated, proof; discriminate].
  destruct stated, proof; try discriminate; intros [= <-]; eauto.
Qed.

Theorem proves_sound k c q low high : proves k c = Some (q, low, high) ->
  (forall v, low = Some v -> lower_means k q v) /\ (forall v, high = Some v -> upper_means k q v).
Proof.
  unfold proves. intros E.
  repeat match type of E with
  | match ?x with _ => _ end = Some _ => destruct x eqn:?; try discriminate E
  end; inversion E; subst; split; intros v V; try discriminate V; try (injection V as V); subst;
  match goal with
  | S : side _ (lower k _) _ _ = Some (Some v) |- lower_means _ _ _ =>
      apply side_sound in S as [name [data S]]; exact (lower_sound _ _ _ _ _ S)
  | S : side _ (upper k _) _ _ = Some (Some v) |- upper_means _ _ _ =>
      apply side_sound in S as [name [data S]]; exact (upper_sound _ _ _ _ _ S)
  end.
Qed.

Corollary exactly k c q v w : proves k c = Some (q, Some v, Some w) -> lower_means k q v /\ upper_means k q w.
Proof. intros H. apply proves_sound in H as [L U]. split; auto. Qed.
Corollary below k c q v high : proves k c = Some (q, Some v, high) -> lower_means k q v.
Proof. intros H. apply proves_sound in H as [L _]. auto. Qed.
Corollary above k c q low v : proves k c = Some (q, low, Some v) -> upper_means k q v.
Proof. intros H. apply proves_sound in H as [_ U]. auto. Qed.

Definition accepted (k : kind) (c : json) : bool := match proves k c with Some _ => true | None => false end.

(* the certificates of a file: one, or a list in which the instance null is that of the first *)
Definition with_instance (i : json) (c : json) : json :=
  match c with
  | Object l => Object (map (fun p => if String.eqb (fst p) "instance"
                                      then (fst p, if is_null (snd p) then i else snd p) else p) l)
  | _ => c
  end.
Definition certificates (file : json) : list json :=
  match file with
  | Array (Object l :: rest) =>
      match value_at "instance" l with
      | Some i => Object l :: map (with_instance i) rest
      | None => [Null]
      end
  | Array l => Null :: l
  | c => [c]
  end.
