(* Joins of parts of the rows: in a column that has one sign on one part and the other sign on another, a
   class that meets both errs on one of them. A class meets both parts of as many joins as it has rows but one. *)
From Coq Require Import List ZArith Lia Bool.
From CCSim Require Import Definitions OneWay Distributions Answers.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- what is paid: entries of one sign, nearer to 0 by 1 ---- *)

Fixpoint pay_entry (t : nat) (s : Z) (r : list Z) : option (list Z) :=
  match t, r with
  | O, w :: r' => if 0 <? s * w then Some (w - s :: r') else None
  | S t', w :: r' => match pay_entry t' s r' with Some q => Some (w :: q) | None => None end
  | _, [] => None
  end.
Fixpoint pay t s (j : nat) (rows : list (list Z)) : option (list (list Z)) :=
  match j, rows with
  | O, r :: rows' => match pay_entry t s r with Some q => Some (q :: rows') | None => None end
  | S j', r :: rows' => match pay t s j' rows' with Some q => Some (r :: q) | None => None end
  | _, [] => None
  end.
Fixpoint pay_all t s (part : list nat) rows : option (list (list Z)) :=
  match part with
  | [] => Some rows
  | j :: part' => match pay t s j rows with Some q => pay_all t s part' q | None => None end
  end.

(* what rows lose in all to the answers of their classes, doubled *)
Definition total (a : nat -> nat) (z : nat -> nat -> bool) (rows : list (list Z)) : Z :=
  zsum (length rows) (fun j => lost (z (a j)) (nth j rows [])).
Definition paid t s (z : nat -> nat -> bool) (i : nat) : Z := 1 - sign (z i t) * s.

Lemma pay_entry_lost s : s = 1 \/ s = -1 -> forall r t q, pay_entry t s r = Some q ->
  forall z, lost z r = lost z q + (1 - sign (z t) * s).
Proof.
  intros E. induction r as [|w r IH]; intros [|t] q H z; try discriminate; cbn [pay_entry] in H.
  - destruct (Z.ltb_spec 0 (s * w)) as [P|]; [|discriminate]. injection H as <-. cbn [lost]. unfold sign.
    destruct E as [-> | ->]; destruct (z O); lia.
  - destruct (pay_entry t s r) as [q'|] eqn:P; [|discriminate]. injection H as <-. cbn [lost].
    rewrite (IH t q' P (fun y => z (S y))). lia.
Qed.

Lemma total_cons a z r rows : total a z (r :: rows) = lost (z (a O)) r + total (fun j => a (S j)) z rows.
Proof. unfold total. cbn [length]. rewrite zsum_S. reflexivity. Qed.
Lemma total_pos a z rows : 0 <= total a z rows.
Proof. apply lsum_nonneg. intros j _. apply lost_pos. Qed.

Lemma pay_total t s : s = 1 \/ s = -1 -> forall rows j q, pay t s j rows = Some q ->
  (j < length rows)%nat /\ length q = length rows /\
  forall a z, total a z rows = total a z q + paid t s z (a j).
Proof.
  intros E. induction rows as [|r rows IH]; intros [|j] q H; try discriminate; cbn [pay] in H.
  - destruct (pay_entry t s r) as [r'|] eqn:P; [|discriminate]. injection H as <-. cbn [length].
    split; [lia|]. split; [reflexivity|]. intros a z. rewrite !total_cons.
    rewrite (pay_entry_lost s E r t r' P (z (a O))). unfold paid. lia.
  - destruct (pay t s j rows) as [q'|] eqn:P; [|discriminate]. injection H as <-.
    destruct (IH j q' P) as [L [M T]]. cbn [length]. split; [lia|]. split; [lia|]. intros a z.
    rewrite !total_cons, (T (fun j => a (S j)) z). lia.
Qed.

Lemma pay_all_total t s : s = 1 \/ s = -1 -> forall part rows q, pay_all t s part rows = Some q ->
  (forall j, In j part -> (j < length rows)%nat) /\ length q = length rows /\
  forall a z, total a z rows = total a z q + lsum (fun j => paid t s z (a j)) part.
Proof.
  intros E. induction part as [|j part IH]; intros rows q H; cbn [pay_all] in H.
  - injection H as <-. split; [intros j []|]. split; [reflexivity|]. intros a z. cbn. lia.
  - destruct (pay t s j rows) as [q'|] eqn:P; [|discriminate]. destruct (pay_total t s E rows j q' P) as [L [M T]].
    destruct (IH q' q H) as [L' [M' T']]. rewrite M in L', M'. split; [intros i [<-|I]; [exact L|exact (L' i I)]|].
    split; [exact M'|]. intros a z. cbn [lsum]. rewrite (T a z), (T' a z). lia.
Qed.

(* ---- how many classes meet a part ---- *)

Section Meeting.
Variables (k : nat) (a : nat -> nat).

Definition meets (part : list nat) c : bool := existsb (fun j => (c =? a j)%nat) part.
Definition met part : Z := zsum k (fun c => if meets part c then 1 else 0).
Definition both A B : Z := zsum k (fun c => if meets A c && meets B c then 1 else 0).

Lemma met_app A B : met (A ++ B) = met A + met B - both A B.
Proof.
  unfold met, both. rewrite <- zsum_plus, <- zsum_minus. apply zsum_ext. intros c _. unfold meets.
  rewrite existsb_app. destruct (existsb _ A), (existsb _ B); reflexivity.
Qed.
Lemma met_one j : (a j < k)%nat -> met [j] = 1.
Proof.
  intros H. unfold met. etransitivity; [|exact (zsum_pick k (a j) (fun _ => 1) H)]. apply zsum_ext. intros c _.
  unfold meets. cbn [existsb]. rewrite orb_false_r. reflexivity.
Qed.
Lemma met_most part : met part <= Z.of_nat k.
Proof.
  assert (forall n, zsum n (fun _ => 1) = Z.of_nat n) as One.
  { induction n as [|n IH]; [reflexivity|]. rewrite zsum_S, IH. lia. }
  rewrite <- One. apply zsum_le. intros c _. destruct (meets part c); lia.
Qed.
Lemma met_paid (g : nat -> Z) part : (forall c, 0 <= g c) -> (forall j, In j part -> (a j < k)%nat) ->
  zsum k (fun c => if meets part c then g c else 0) <= lsum (fun j => g (a j)) part.
Proof.
  intros P. induction part as [|j part IH]; intros H.
  - cbn. unfold zsum. rewrite lsum_zero. lia.
  - cbn [lsum]. specialize (IH (fun i I => H i (in_cons _ _ _ I))).
    rewrite <- (zsum_pick k (a j) g (H j (in_eq _ _))).
    etransitivity; [|apply Z.add_le_mono_l, IH]. rewrite <- zsum_plus. apply zsum_le. intros c _. unfold meets.
    cbn [existsb]. specialize (P c). destruct (c =? a j)%nat, (existsb _ part); cbn; lia.
Qed.

Lemma both_paid t s z A B : s = 1 \/ s = -1 ->
  (forall j, In j A -> (a j < k)%nat) -> (forall j, In j B -> (a j < k)%nat) ->
  2 * both A B <= lsum (fun j => paid t s z (a j)) A + lsum (fun j => paid t (- s) z (a j)) B.
Proof.
  intros E HA HB.
  assert (forall r c, r = 1 \/ r = -1 -> 0 <= paid t r z c) as P.
  { intros r c [-> | ->]; unfold paid, sign; destruct (z c t); lia. }
  pose proof (met_paid (paid t s z) A (fun c => P s c E) HA) as GA.
  pose proof (met_paid (paid t (- s) z) B (fun c => P (- s) c ltac:(lia)) HB) as GB.
  assert (2 * both A B <= zsum k (fun c => if meets A c then paid t s z c else 0)
    + zsum k (fun c => if meets B c then paid t (- s) z c else 0)); [|lia].
  unfold both. unfold zsum at 1. rewrite <- lsum_scale. fold (zsum k (fun c => 2 * (if meets A c && meets B c then 1
    else 0))). rewrite <- zsum_plus. apply zsum_le. intros c _.
  pose proof (P s c E). pose proof (P (- s) c ltac:(lia)). unfold paid in *.
  destruct (meets A c), (meets B c); cbn [andb]; lia.
Qed.
End Meeting.

(* ---- the joins ---- *)

Fixpoint take i (parts : list (list nat)) : option (list nat * list (list nat)) :=
  match parts with
  | [] => None
  | P :: parts' => if existsb (Nat.eqb i) P then Some (P, parts') else
      match take i parts' with Some (Q, rest) => Some (Q, P :: rest) | None => None end
  end.
Lemma take_sum g i : forall parts P rest, take i parts = Some (P, rest) -> lsum g parts = g P + lsum g rest.
Proof.
  induction parts as [|Q parts IH]; intros P rest H; [discriminate|]. cbn [take] in H.
  destruct (existsb (Nat.eqb i) Q); [injection H as <- <-; reflexivity|].
  destruct (take i parts) as [[Q' rest']|] eqn:T; [|discriminate]. injection H as <- <-. cbn [lsum].
  rewrite (IH _ _ eq_refl). lia.
Qed.

(* joins of a column and two rows; the parts that are left *)
Fixpoint join_all (joins : list (nat * nat * nat)) (parts : list (list nat)) (rows : list (list Z))
  : option (list (list nat)) :=
  match joins with
  | [] => Some parts
  | (t, i, j) :: joins' =>
      match take i parts with
      | Some (A, rest) => match take j rest with
          | Some (B, rest) =>
              let s := if 0 <? entry_at rows i t then 1 else -1 in
              match pay_all t s A rows with
              | Some rows => match pay_all t (- s) B rows with
                  | Some rows => join_all joins' ((A ++ B) :: rest) rows
                  | None => None
                  end
              | None => None
              end
          | None => None
          end
      | None => None
      end
  end.

Lemma join_all_forces k a z : forall joins parts rows last,
  join_all joins parts rows = Some last -> (forall j, (j < length rows)%nat -> (a j < k)%nat) ->
  2 * lsum (met k a) parts <= total a z rows + 2 * lsum (met k a) last.
Proof.
  induction joins as [|[[t i] j] joins IH]; intros parts rows last H K; cbn [join_all] in H.
  - injection H as <-. pose proof (total_pos a z rows). lia.
  - destruct (take i parts) as [[A rest]|] eqn:TA; [|discriminate].
    destruct (take j rest) as [[B rest']|] eqn:TB; [|discriminate].
    set (s := if 0 <? entry_at rows i t then 1 else -1) in H.
    assert (s = 1 \/ s = -1) as E by (unfold s; destruct (0 <? entry_at rows i t); auto).
    destruct (pay_all t s A rows) as [q|] eqn:PA; [|discriminate].
    destruct (pay_all t (- s) B q) as [q'|] eqn:PB; [|discriminate].
    destruct (pay_all_total t s E A rows q PA) as [LA [MA SA]].
    destruct (pay_all_total t (- s) ltac:(lia) B q q' PB) as [LB [MB SB]]. rewrite MA in LB, MB.
    rewrite (take_sum (met k a) i parts A rest TA), (take_sum (met k a) j rest B rest' TB).
    specialize (IH _ _ _ H ltac:(rewrite MB; exact K)). cbn [lsum] in IH. rewrite met_app in IH.
    pose proof (both_paid k a t s z A B E (fun x X => K x (LA x X)) (fun x X => K x (LB x X))) as G.
    rewrite (SA a z), (SB a z). lia.
Qed.

Definition singles (n : nat) : list (list nat) := map (fun j => [j]) (seq 0 n).
Definition forced_by (n k : nat) : Z := Z.max 0 (2 * (Z.of_nat n - Z.of_nat k)).
Definition joined (rows : list (list Z)) (k : nat) (joins : list (nat * nat * nat)) : option Z :=
  match join_all joins (singles (length rows)) rows with
  | Some [_] => Some (forced_by (length rows) k)
  | _ => None
  end.

Theorem joined_forces rows k joins B : joined rows k joins = Some B -> forced rows k B.
Proof.
  unfold joined. intros H a z K. change (B <= total a z rows).
  destruct (join_all joins (singles (length rows)) rows) as [[|last [|]]|] eqn:J; try discriminate.
  injection H as <-. pose proof (total_pos a z rows) as P.
  pose proof (join_all_forces k a z _ _ _ _ J K) as G. cbn [lsum] in G. pose proof (met_most k a last) as M.
  assert (lsum (met k a) (singles (length rows)) = Z.of_nat (length rows)) as N;
    [|unfold forced_by; rewrite N in G; lia].
  unfold singles. rewrite lsum_map.
  assert (forall n, zsum n (fun _ => 1) = Z.of_nat n) as One.
  { induction n as [|n IH]; [reflexivity|]. rewrite zsum_S, IH. lia. }
  rewrite <- One. apply zsum_ext. intros j L. apply met_one, K, L.
Qed.

(* the number of an entry of a list *)
Fixpoint position (x : nat) (l : list nat) : option nat :=
  match l with
  | [] => None
  | y :: l' => if (x =? y)%nat then Some O else match position x l' with Some i => Some (S i) | None => None end
  end.
