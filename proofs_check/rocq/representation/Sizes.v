(* The kinds of certificates about the least failure of sets of a size, and the least size. *)
From Coq Require Import String List ZArith NArith QArith Lia Lqa Bool.
From CCSim Require Import Definitions Mixture Json Certificate Representations Failures Hitting Covering Separation
    Entropy.
From CCSim Require Littlestone Tables.
Import ListNotations.
Local Open Scope Z_scope.

(* ---- what certificates hold ---- *)

(* sizes are written in unary: small ones *)
Definition size_of (j : json) : option nat :=
  let* z := at_least_integer 0 j in given (z <? 65536) (Some (Z.to_nat z)).
Definition pool_of (n : nat) (j : json) : option (option (list (list bool))) := optional (set_of_rows n) j.

Definition neighbourhood_of (n height : nat) (j : json) : option neighbourhood :=
  let* l := entries j in
  match l with
  | [c; d] => let* c := index height c in
              let* d := law_of d in
              given (length d =? n)%nat (Some (c, d))
  | _ => None
  end.
Definition node_of (moves masks number : nat) (j : json) : option node :=
  match fields ["symmetries"; "branches"; "weights"]%string j with
  | Some [s; b; w] =>
      let* s := list_of (index moves) s in
      let* b := list_of (index masks) b in
      let* w := optional law_of w in
      Some (Branch s b w)
  | _ => None
  end.
Definition tree_of (q : covering) (data : json) : option tree_proof :=
  match fields ["neighbourhoods"; "weights"; "symmetries"; "tree"]%string data with
  | Some [a; w; s; t] =>
      let* a := list_of (neighbourhood_of (points q) (length (rows q))) a in
      let number := length a in
      let* w := optional law_of w in
      let* s := list_of (list_of (place (N.of_nat number))) s in
      let masks := length (pool_rows (points q) (pool q)) in
      let* t := list_of (node_of (length s) masks number) t in
      Some (Tree a w s t)
  | _ => None
  end.
(* from above: a support, and a proof of its failure *)
Definition representation_of (q : covering) (data : json) : option (nat * Q) :=
  match fields ["support"; "failure"]%string data with
  | Some [s; f] =>
      let* (sets, ws) := support_of (points q) s in
      let* (name, proof) := form f in
      drawn q sets ws name proof
  | _ => None
  end.
Definition covering_of (instance error pool : json) : option covering :=
  let* (_, n, rows) := class_of row instance in
  let* e := probability error in
  let* p := pool_of n pool in
  Some (Covering n rows e p).

(* ---- the least failure ---- *)

Definition failure_asked (instance : json) (values : list json) : option (covering * nat) :=
  match values with
  | [e; p; s] => let* q := covering_of instance e p in
                 let* s := size_of s in
                 given (negb (s =? 0)%nat) (Some (q, s))
  | _ => None
  end.
Definition failure_from_below (q : covering * nat) v (name : string) (data : json) : bool :=
  String.eqb name "branching" &&
  match tree_of (fst q) data with
  | Some t => match failure_of_tree (fst q) (snd q) t with Some u => Qeq_bool u v | None => false end
  | None => false
  end.
Definition failure_from_above (q : covering * nat) v (name : string) (data : json) : bool :=
  String.eqb name "representation" &&
  match representation_of (fst q) data with
  | Some (size, u) => (size <=? snd q)%nat && Qeq_bool u v
  | None => false
  end.

Lemma represented_le n C pool e k k' d d' : (k <= k')%nat -> (d <= d')%Q ->
  represented_randomly n C pool e k d -> represented_randomly n C pool e k' d'.
Proof.
  intros Lk Ld [c [p [H [Lp [S R]]]]]. exists c, p, H. split; [exact Lp|]. split.
  - intros i Hi. destruct (S i Hi) as [Ne [L P]]. split; [exact Ne|]. split; [lia|exact P].
  - eapply represents_randomly_le; eassumption.
Qed.

Lemma representation_of_sound q data size u : representation_of q data = Some (size, u) ->
  represented_randomly (points q) (its_class q) (its_pool q) (allowed q) size u.
Proof.
  unfold representation_of. destruct (fields _ _) as [[|s [|f [|]]]|]; try discriminate.
  destruct (support_of (points q) s) as [[sets ws]|]; [|discriminate].
  destruct (form f) as [[name proof]|]; [|discriminate]. apply drawn_sound.
Qed.

Definition least_failure : kind.
Proof.
  refine {|
    title := "least_failure"; parameters := ["error"; "pool"; "size"]%string;
    ask := failure_asked; number := fraction;
    lower := failure_from_below; upper := failure_from_above;
    lower_means q v := forall d, represented_randomly (points (fst q)) (its_class (fst q)) (its_pool (fst q))
      (allowed (fst q)) (snd q) d -> (v <= d)%Q;
    upper_means q v := represented_randomly (points (fst q)) (its_class (fst q)) (its_pool (fst q))
      (allowed (fst q)) (snd q) v
  |}.
  - intros q v name data H d R. apply andb_prop in H as [_ H].
    destruct (tree_of (fst q) data) as [t|]; [|discriminate].
    destruct (failure_of_tree (fst q) (snd q) t) as [u|] eqn:F; [|discriminate].
    apply Qeq_bool_iff in H. rewrite <- H. eapply failure_of_tree_sound; eassumption.
  - intros q v name data H. apply andb_prop in H as [_ H].
    destruct (representation_of (fst q) data) as [[size u]|] eqn:F; [|discriminate].
    apply andb_prop in H as [L E]. apply Nat.leb_le in L. apply Qeq_bool_iff in E.
    apply representation_of_sound in F. eapply represented_le; [exact L| |exact F]. rewrite E. apply Qle_refl.
Defined.

(* ---- the least size; without failure one set has to represent the class ---- *)

Definition size_asked (instance : json) (values : list json) : option (covering * Q) :=
  match values with
  | [e; p; f] => let* q := covering_of instance e p in
                 let* f := probability f in
                 Some (q, f)
  | _ => None
  end.
Definition reached (q : covering) (failure : Q) (k : nat) : Prop :=
  if Qeq_bool failure 0 then represented (points q) (its_class q) (its_pool q) (allowed q) k
  else represented_randomly (points q) (its_class q) (its_pool q) (allowed q) k failure.

Lemma reached_spec q failure k : reached q failure k <->
  represented_randomly (points q) (its_class q) (its_pool q) (allowed q) k failure.
Proof.
  unfold reached. destruct (Qeq_bool failure 0) eqn:E; [|reflexivity]. apply Qeq_bool_iff in E. apply certain, E.
Qed.

(* the number of hypotheses that a proof from below proves to be needed *)
Definition size_at_least (q : covering) (failure : Q) (name : string) (data : json) : option Z :=
  if String.eqb name "branching" then
    match tree_of q data with Some t => size_of_tree q failure t | None => None end
  else if String.eqb name "separation" then
    match fields ["points"%string] data with
    | Some [p] => let* p := list_of (index (points q)) p in
                  separation (points q) (rows q) (allowed q) failure p
    | _ => None
    end
  else None.

(* the entropy bound, from a proof of the Littlestone dimension: v is the least number that it allows *)
Definition depth_of (name : string) (data : json) : Z :=
  if String.eqb name "mistake_tree" then
    match fields ["tree"%string] data with
    | Some [Array l] => Z.of_N (N.log2 (N.succ (Tables.size l))) - 1
    | _ => -1
    end
  else -1.
Definition entropy_allows (p q d v : Z) : bool :=
  (2 ^ q * p ^ p * (q - p) ^ (q - p)) ^ d <=? v ^ q * q ^ (q * d).
Definition size_by_entropy (q : covering) (failure : Q) (v : nat) (data : json) : bool :=
  match fields ["dimension"%string] data with
  | Some [f] =>
      match form f with
      | Some (name, proof) =>
          let depth := depth_of name proof in
          let d := Z.max 0 depth in
          let e := Qred (allowed q + (1 - allowed q) * failure) in
          let (p, u) := (Qnum e, Zpos (Qden e)) in
          Littlestone.lower_ldim (points q, map number_of (rows q)) depth name proof
          && Qle_bool 0 (allowed q) && Qle_bool (allowed q) 1 && (0 <=? p) && (2 * p <=? u) && (u <=? 1000)
          && (1 <=? v)%nat && entropy_allows p u d (Z.of_nat v)
          && ((v =? 1)%nat || ((0 <? d) && negb (entropy_allows p u d (Z.of_nat v - 1))))
      | None => false
      end
  | _ => false
  end.
Definition size_from_below (q : covering * Q) (v : nat) (name : string) (data : json) : bool :=
  if String.eqb name "littlestone" then size_by_entropy (fst q) (snd q) v data
  else match size_at_least (fst q) (snd q) name data with Some b => Z.of_nat v =? b | None => false end.
Definition size_from_above (q : covering * Q) (v : nat) (name : string) (data : json) : bool :=
  String.eqb name "representation" &&
  match representation_of (fst q) data with
  | Some (size, u) => (size =? v)%nat && Qle_bool u (snd q)
  | None => false
  end.

Lemma size_at_least_sound q failure name data b k : size_at_least q failure name data = Some b ->
  represented_randomly (points q) (its_class q) (its_pool q) (allowed q) k failure -> b <= Z.of_nat k.
Proof.
  unfold size_at_least. intros E R. destruct (String.eqb name "branching").
  - destruct (tree_of q data) as [t|]; [|discriminate]. eapply size_of_tree_sound; eassumption.
  - destruct (String.eqb name "separation"); [|discriminate].
    destruct (fields _ data) as [[|p [|]]|]; try discriminate.
    destruct (list_of _ p) as [l|]; [|discriminate]. eapply separation_sound; eassumption.
Qed.

Lemma same_table n rows h : table n (map bit (map number_of rows)) h -> table n (concepts rows) h.
Proof.
  intros [g [Hg S]]. apply in_map_iff in Hg as [m [<- Hm]]. apply in_map_iff in Hm as [r [<- Hr]].
  exists (of_row r). split; [apply in_map, Hr|]. intros x Hx. rewrite (S x Hx). unfold bit, of_row.
  rewrite <- number_of_spec, <- (Nat2N.id x) at 1. apply Ndigits.Nbit_Ntestbit.
Qed.

Lemma size_by_entropy_sound q failure v data k : size_by_entropy q failure v data = true ->
  represented_randomly (points q) (its_class q) (its_pool q) (allowed q) k failure -> (v <= k)%nat.
Proof.
  unfold size_by_entropy. intros H R. destruct (fields _ data) as [[|f [|]]|]; try discriminate.
  destruct (form f) as [[name proof]|]; [|discriminate]. cbv zeta in H.
  set (depth := depth_of name proof) in *. set (d := Z.max 0 depth) in *.
  set (e := Qred _) in *. set (p := Qnum e) in *. set (u := Zpos (Qden e)) in *.
  apply andb_prop in H as [H Least]. apply andb_prop in H as [H _]. apply andb_prop in H as [H _].
  apply andb_prop in H as [H _]. apply andb_prop in H as [H P2]. apply andb_prop in H as [H P0].
  apply andb_prop in H as [H A1]. apply andb_prop in H as [H A0].
  apply Z.leb_le in P0, P2. apply Qle_bool_iff in A0, A1.
  destruct (Nat.eqb_spec v 1) as [->|Hv]; [eapply size_positive, R|]. cbn [orb] in Least.
  apply andb_prop in Least as [Pd No]. apply Z.ltb_lt in Pd. apply negb_true_iff in No.
  unfold entropy_allows in No. apply Z.leb_gt in No.
  pose proof (lower_sound Littlestone.littlestone_dimension (points q, map number_of (rows q)) depth name proof H) as D.
  change (dimension_at_least (mistakes (points q) (table (points q) (map bit (map number_of (rows q))))) depth) in D.
  unfold dimension_at_least in D. assert (d = depth) as Ed by lia. specialize (D ltac:(lia)). rewrite <- Ed in D.
  assert (0 < u) as Pu by (unfold u; lia).
  assert (mistakes (points q) (its_class q) (Z.to_nat d)) as Deep.
  { destruct D as [t [Ct F]]. exists t. split; [exact Ct|]. intros path L. destruct (F path L) as [h [Ch Fh]].
    exists h. split; [apply same_table, Ch|exact Fh]. }
  assert ((allowed q + (1 - allowed q) * failure) * inject_Z u <= inject_Z p)%Q as Fr.
  { rewrite <- (Qred_correct (allowed q + (1 - allowed q) * failure)). fold e. apply Qle_lteq. right.
    unfold Qeq, p, u. cbn. rewrite ?Pos.mul_1_r. lia. }
  destruct (entropy_bound_Z (points q) d (its_class q) (its_pool q) (allowed q) failure k p u Pd P0 P2 Pu
    (conj A0 A1) Deep R Fr) as [size [Hs B]]. clearbody p u d.
  destruct (Nat.le_gt_cases v k) as [L|L]; [exact L|exfalso].
  assert (Z.of_nat size ^ u <= (Z.of_nat v - 1) ^ u) as M by (apply Z.pow_le_mono_l; lia).
  assert (0 <= u ^ (u * d)) as N by (apply Z.pow_nonneg; lia). nia.
Qed.

Definition representation_size : kind.
Proof.
  refine {|
    title := "representation_size"; parameters := ["error"; "pool"; "failure"]%string;
    ask := size_asked; number := size_of;
    lower := size_from_below; upper := size_from_above;
    lower_means q v := forall k, reached (fst q) (snd q) k -> (v <= k)%nat;
    upper_means q v := reached (fst q) (snd q) v
  |}.
  - intros q v name data H k R. apply reached_spec in R. unfold size_from_below in H.
    destruct (String.eqb name "littlestone"); [eapply size_by_entropy_sound; eassumption|].
    destruct (size_at_least _ _ name data) as [b|] eqn:E; [|discriminate]. apply Z.eqb_eq in H.
    pose proof (size_at_least_sound _ _ _ _ _ _ E R). lia.
  - intros q v name data H. apply reached_spec. apply andb_prop in H as [_ H].
    destruct (representation_of (fst q) data) as [[size u]|] eqn:F; [|discriminate].
    apply andb_prop in H as [L E]. apply Nat.eqb_eq in L as <-. apply Qle_bool_iff in E.
    apply representation_of_sound in F. eapply represented_le; [apply Nat.le_refl|exact E|exact F].
Defined.
