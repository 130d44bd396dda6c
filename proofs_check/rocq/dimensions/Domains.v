(* The effective domain: points with different columns from below, representatives from above. *)
From Coq Require Import String List Arith NArith ZArith Lia Bool.
From CCSim Require Import Definitions Json Certificate Tables Sorting.
Import ListNotations.
Local Open Scope nat_scope.

Definition class_told_apart n rows := told_apart n (table n (map bit rows)).

Lemma columns_differ rows x y : column rows x <> column rows y -> exists r, In r rows /\ bit r x <> bit r y.
Proof.
  unfold column. induction rows as [|r rows IH]; intros H; [contradiction H; reflexivity|].
  destruct (Bool.bool_dec (bit r x) (bit r y)) as [E|N]; [|exists r; split; [left; reflexivity|exact N]].
  destruct IH as [s [Hs N]]; [|exists s; split; [right; exact Hs|exact N]].
  intros K. apply H. cbn [map number_of]. rewrite E, K. reflexivity.
Qed.

Lemma columns_equal rows x y : column rows x = column rows y -> forall r, In r rows -> bit r x = bit r y.
Proof.
  intros E r Hr. apply (In_nth _ _ 0%N) in Hr as [i [_ <-]]. rewrite <- !column_bit, E. reflexivity.
Qed.

Definition check_apart (n : nat) (rows : list N) (points : list nat) : bool :=
  forallb (fun x => x <? n) points && distinct (map (column rows) points).

Theorem check_apart_sound n rows points : check_apart n rows points = true ->
  class_told_apart n rows (length points).
Proof.
  intros H. apply andb_prop in H as [B D]. rewrite forallb_forall in B. apply distinct_spec in D.
  exists (fun i => nth i points 0). split.
  - intros i Hi. apply Nat.ltb_lt, B, nth_In, Hi.
  - intros i j Hi Hj N. destruct (columns_differ rows (nth i points 0) (nth j points 0)) as [r [Hr Q]].
    + intros E. apply N. apply (proj1 (NoDup_nth (map (column rows) points) (column rows 0)) D);
        rewrite ?map_length; try assumption. rewrite !(map_nth (column rows)). exact E.
    + exists (bit r). split; [|exact Q]. exists (bit r). split; [apply in_map, Hr|intros x _; reflexivity].
Qed.

(* each point has the column of its representative *)
Fixpoint alike (columns : numbered N) (l : list N) (points : list N) : bool :=
  match l, points with
  | [], [] => true
  | c :: l', p :: points' =>
      match entry columns p with Some d => (c =? d)%N | None => false end && alike columns l' points'
  | _, _ => false
  end.
Definition check_representatives (n : nat) (rows : list N) (points : list N) : bool :=
  let columns := map (column rows) (seq 0 n) in alike (number_all columns) columns points.

Lemma alike_spec all : forall l points, alike (number_all all) l points = true ->
  length points = length l /\
  forall i, i < length l -> nth_error all (N.to_nat (nth i points 0%N)) = Some (nth i l 0%N).
Proof.
  induction l as [|c l IH]; intros [|p points] H; cbn [alike] in H; try discriminate.
  - split; [reflexivity|]. intros i Hi. simpl in Hi. lia.
  - apply andb_prop in H as [E H]. apply IH in H as [L H].
    destruct (entry _ p) as [d|] eqn:F; [|discriminate]. apply N.eqb_eq in E. subst d.
    apply entry_spec in F. split; [simpl; lia|]. intros [|i] Hi; [exact F|]. apply H. simpl in Hi. lia.
Qed.

Theorem check_representatives_sound n rows points : check_representatives n rows points = true ->
  forall d, class_told_apart n rows d -> d <= length (once points).
Proof.
  intros H d [point [B A]]. apply alike_spec in H as [L H]. rewrite map_length, seq_length in *.
  assert (forall x, x < n -> nth_error (map (column rows) (seq 0 n)) x = Some (column rows x)) as C.
  { intros x Hx. apply (map_nth_error (column rows)).
    rewrite (nth_error_nth' (seq 0 n) 0) by (rewrite seq_length; exact Hx).
    rewrite seq_nth by exact Hx. reflexivity. }
  assert (NoDup (map (fun i => nth (point i) points 0%N) (seq 0 d))) as D.
  { assert (forall l, (forall i, In i l -> i < d) -> NoDup l -> NoDup (map (fun i => nth (point i) points 0%N) l)) as K.
    { induction l as [|i l IH]; intros Bl Dl; simpl; [constructor|]. apply NoDup_cons_iff in Dl as [Ni Dl'].
      constructor; [|apply IH; [intros; apply Bl; simpl; auto|exact Dl']].
      intros Hi. apply in_map_iff in Hi as [j [E Hj]].
      pose proof (Bl i (or_introl eq_refl)) as Bi. pose proof (Bl j (or_intror Hj)) as Bj.
      destruct (Nat.eq_dec i j) as [->|Ne]; [contradiction|].
      destruct (A i j Bi Bj Ne) as [h [Ch Q]]. apply Q.
      apply in_table in Ch as [r [Hr M]]. rewrite !M by (apply B; assumption).
      apply (columns_equal rows); [|exact Hr].
      pose proof (H (point i) (B i Bi)) as Ei. pose proof (H (point j) (B j Bj)) as Ej. rewrite E in Ej.
      rewrite Ei in Ej. injection Ej as Ej.
      assert (forall x, x < n -> nth x (map (column rows) (seq 0 n)) 0%N = column rows x) as G.
      { intros x Hx. apply nth_error_nth, C, Hx. }
      rewrite !G in Ej by (apply B; assumption). exact Ej. }
    apply K; [|apply seq_NoDup]. intros i Hi. apply in_seq in Hi. lia. }
  apply NoDup_incl_length with (l' := once points) in D.
  - rewrite map_length, seq_length in D. exact D.
  - intros p Hp. apply in_map_iff in Hp as [i [<- Hi]]. apply in_seq in Hi. apply once_in, nth_In.
    rewrite L. apply B. lia.
Qed.

(* ---- certificates ---- *)

Definition domain_lower (q : nat * list N) (v : Z) (name : string) (data : json) : bool :=
  String.eqb name "apart" &&
  match fields ["points"%string] data with
  | Some [p] => match list_of (index (fst q)) p with
                | Some points => (v =? Z.of_nat (length points))%Z && check_apart (fst q) (snd q) points
                | None => false
                end
  | _ => false
  end.
Definition domain_upper (q : nat * list N) (v : Z) (name : string) (data : json) : bool :=
  String.eqb name "representatives" &&
  match fields ["points"%string] data with
  | Some [p] => match list_of (place (N.of_nat (fst q))) p with
                | Some points => (v =? Z.of_nat (length (once points)))%Z
                                 && check_representatives (fst q) (snd q) points
                | None => false
                end
  | _ => false
  end.

Definition effective_domain : kind.
Proof.
  refine {|
    title := "effective_domain"; parameters := [];
    ask := fun instance _ => rows_of instance; number := at_least_integer 0;
    lower := domain_lower; upper := domain_upper;
    lower_means q v := dimension_at_least (told_apart (fst q) (table (fst q) (map bit (snd q)))) v;
    upper_means q v := dimension_at_most (told_apart (fst q) (table (fst q) (map bit (snd q)))) v
  |}.
  - intros [n rows] v name data H. apply andb_prop in H as [_ H].
    destruct (fields _ data) as [[|p [|]]|]; try discriminate. destruct (list_of _ p) as [points|]; [|discriminate].
    apply andb_prop in H as [V H]. apply Z.eqb_eq in V. subst v. intros _. rewrite Nat2Z.id.
    apply check_apart_sound, H.
  - intros [n rows] v name data H. apply andb_prop in H as [_ H].
    destruct (fields _ data) as [[|p [|]]|]; try discriminate. destruct (list_of _ p) as [points|]; [|discriminate].
    apply andb_prop in H as [V H]. apply Z.eqb_eq in V. split; [lia|]. intros d T. rewrite V. apply inj_le.
    eapply check_representatives_sound; [exact H|exact T].
Defined.
