(* No long chain of thresholds, by the lines of one from the end that has a label: what has the label on all
   lines so far is kept, and each line leaves a tail behind, some of which no later line has.  Whether so many
   more lines fit into what is kept, without the tails, is asked once for all orders of the lines before. *)
From Coq Require Import List Arith NArith ZArith Lia Bool FSets.FMapPositive.
From CCSim Require Import Definitions Json Tables Sorting Thresholds Littlestone.
Import ListNotations.
Local Open Scope nat_scope.

(* what is known of so many more lines inside of what is kept *)
Definition memory := PositiveMap.t (list (nat * bool)).
Fixpoint told (more : nat) (l : list (nat * bool)) : option bool :=
  match l with [] => None | (m, b) :: l' => if m =? more then Some b else told more l' end.
Definition notes (s : memory) (kept : N) : list (nat * bool) :=
  match PositiveMap.find (Tables.key kept) s with Some l => l | None => [] end.
Definition recall (s : memory) (kept : N) (more : nat) : option bool := told more (notes s kept).
Definition note (s : memory) (kept : N) (more : nat) (b : bool) : memory :=
  PositiveMap.add (Tables.key kept) ((more, b) :: notes s kept) s.

Definition leaves (y a : N) : bool := negb (N.ldiff a y =? 0)%N.
Fixpoint try_lines (alone : N -> memory -> bool * memory) (next : list N -> N -> memory -> bool * memory)
  (least : N) (tails : list N) (kept : N) (l : list N) (s : memory) : bool * memory :=
  match l with
  | [] => (false, s)
  | y :: l' =>
      let rest := N.land kept y in
      if (count_ones rest <? least)%N then try_lines alone next least tails kept l' s
      else let (fit, s) := alone rest s in
           if fit then
             let (found, s) := next (map (fun tail => N.ldiff tail y) tails ++ [N.ldiff kept y]) rest s in
             if found then (true, s) else try_lines alone next least tails kept l' s
           else try_lines alone next least tails kept l' s
  end.

Section Tails.
Variables (extra : nat) (asked : nat) (every : list N).
Hypothesis few : extra <= 1.                           (* a label *)

Fixpoint goes_on (more : nat) (tails : list N) (kept : N) (left : list N) (s : memory) : bool * memory :=
  match more with
  | O => (true, s)
  | S more' =>
      let fit := filter (fun y => leaves y kept && forallb (leaves y) tails) left in
      if length fit <? more then (false, s) else
      try_lines
        (fun rest s =>
           if more <? asked then (true, s) else
           match recall s rest more' with
           | Some b => (b, s)
           | None => let (b, s) := goes_on more' [] rest every s in (b, note s rest more' b)
           end)
        (fun behind rest s => goes_on more' behind rest fit s)
        (N.of_nat (more' + extra)) tails kept fit s
  end.

(* so many lines, and what each leaves behind *)
Definition fits (more : nat) (tails : list N) (kept : N) (left : list N) := exists (y : nat -> N) (p : nat -> nat),
  (forall l, l < more -> In (y l) left) /\ (forall i, i < more + extra -> bit kept (p i) = true) /\
  (forall l i, l < more -> i < more + extra -> bit (y l) (p i) = (l <? i)) /\
  (forall tail, In tail tails -> exists x, bit tail x = true /\ forall l, l < more -> bit (y l) x = false).
Definition sound (s : memory) := forall kept more, recall s kept more = Some false -> ~ fits more [] kept every.

Lemma sound_note s kept more b : sound s -> (fits more [] kept every -> b = true) -> sound (note s kept more b).
Proof.
  intros S F kept' more' R. unfold recall, note, notes in R. destruct (N.eq_dec kept' kept) as [->|Ne].
  - rewrite PositiveMap.gss in R. cbn [told] in R. destruct (Nat.eqb_spec more more') as [->|Nm].
    + injection R as ->. intros H. discriminate (F H).
    + apply S, R.
  - rewrite PositiveMap.gso in R by (intros E; apply Ne, Tables.key_inj, E). apply S, R.
Qed.

Lemma leaves_one y a x : bit a x = true -> bit y x = false -> leaves y a = true.
Proof.
  intros A Y. unfold leaves. destruct (N.eqb_spec (N.ldiff a y) 0) as [E|]; [|reflexivity].
  pose proof (bit_ldiff a y x) as H. rewrite E, A, Y, bit_0 in H. discriminate.
Qed.

Lemma ones_at_least m (l : list nat) : NoDup l -> (forall x, In x l -> bit m x = true) -> (N.of_nat (length l) <=
  count_ones m)%N.
Proof.
  intros D B. set (all := map N.of_nat (seq 0 (S (list_max l)))).
  pose proof (chosen_size all m) as C. rewrite size_length in C.
  assert (length (map N.of_nat l) <= length (chosen m all)); [|rewrite map_length in *; lia].
  apply NoDup_incl_length.
  - apply FinFun.Injective_map_NoDup; [intros a b; lia|exact D].
  - intros r R. apply in_map_iff in R as [x [<- X]].
    apply (chosen_spec (N.of_nat x) all m x); [|apply B, X].
    unfold all. rewrite nth_error_map, (nth_error_nth' _ 0).
    + rewrite seq_nth; [reflexivity|]. pose proof (proj1 (list_max_le l (list_max l)) (le_n _)) as M.
      rewrite Forall_forall in M. specialize (M x X). lia.
    + rewrite seq_length. pose proof (proj1 (list_max_le l (list_max l)) (le_n _)) as M.
      rewrite Forall_forall in M. specialize (M x X). lia.
Qed.

(* the tries of one line after the other *)
Lemma try_lines_sound alone next least tails kept y (here : Prop) :
  (forall rest s b s', sound s -> alone rest s = (b, s') ->
    sound s' /\ (here -> rest = N.land kept y -> b = true)) ->
  (forall behind rest s b s', sound s -> next behind rest s = (b, s') -> sound s' /\
    (here -> behind = map (fun tail => N.ldiff tail y) tails ++ [N.ldiff kept y]
      -> rest = N.land kept y -> b = true)) ->
  (here -> (least <= count_ones (N.land kept y))%N) -> forall l s b s', sound s ->
  try_lines alone next least tails kept l s = (b, s') -> sound s' /\ (here -> In y l -> b = true).
Proof.
  intros Al Nx Ls. induction l as [|a l IH]; intros s b s' Sd E.
  - injection E as <- <-. split; [exact Sd|intros _ []].
  - cbn [try_lines] in E. destruct (count_ones (N.land kept a) <? least)%N eqn:C.
    { destruct (IH _ _ _ Sd E) as [A B]. split; [exact A|]. intros G [->|I]; [|auto].
      apply N.ltb_lt in C. specialize (Ls G). lia. }
    destruct (alone (N.land kept a) s) as [fit s1] eqn:Ea. destruct (Al _ _ _ _ Sd Ea) as [Sd1 Fa]. destruct fit.
    2:{ destruct (IH _ _ _ Sd1 E) as [A B]. split; [exact A|]. intros G [->|I]; [|auto].
        specialize (Fa G eq_refl). discriminate. }
    destruct (next _ _ s1) as [found s2] eqn:En. destruct (Nx _ _ _ _ _ Sd1 En) as [Sd2 Fn]. destruct found.
    { injection E as <- <-. split; [exact Sd2|]. reflexivity. }
    destruct (IH _ _ _ Sd2 E) as [A B]. split; [exact A|]. intros G [->|I]; [|auto].
    specialize (Fn G eq_refl eq_refl). discriminate.
Qed.

Lemma fits_next more tails kept left (fit : list N) y p :
  (forall l, l < S more -> In (y l) fit) -> (forall i, i < S more + extra -> bit kept (p i) = true) ->
  (forall l i, l < S more -> i < S more + extra -> bit (y l) (p i) = (l <? i)) ->
  (forall tail, In tail tails -> exists x, bit tail x = true /\ forall l, l < S more -> bit (y l) x = false) ->
  incl fit left ->
  fits more (map (fun tail => N.ldiff tail (y 0)) tails ++ [N.ldiff kept (y 0)]) (N.land kept (y 0)) fit /\
  fits more [] (N.land kept (y 0)) left.
Proof.
  intros F K T Ta I.
  assert (forall i, i < more + extra -> bit (N.land kept (y 0)) (p (S i)) = true) as K'.
  { intros i Hi. rewrite bit_land, K, T by lia. reflexivity. }
  assert (forall l i, l < more -> i < more + extra -> bit (y (S l)) (p (S i)) = (l <? i)) as T'
    by (intros l i Hl Hi; rewrite T by lia; reflexivity).
  split; exists (fun l => y (S l)), (fun i => p (S i)); split; try (split; [exact K'|split; [exact T'|]]).
  - intros l Hl. apply F. lia.
  - intros tail Ht. apply in_app_or in Ht as [Ht|[<-|[]]].
    + apply in_map_iff in Ht as [old [<- Ho]]. destruct (Ta old Ho) as [x [X Y]]. exists x.
      rewrite bit_ldiff, X, Y by lia. split; [reflexivity|]. intros l Hl. apply Y. lia.
    + exists (p 0). rewrite bit_ldiff, K, T by lia. split; [reflexivity|]. intros l Hl. rewrite T by lia. reflexivity.
  - intros l Hl. apply I, F. lia.
  - intros tail [].
Qed.

Theorem goes_on_sound : forall more tails kept left s b s', incl left every -> sound s ->
  goes_on more tails kept left s = (b, s') -> sound s' /\ (fits more tails kept left -> b = true).
Proof.
  induction more as [|more IH]; intros tails kept left s b s' I Sd E.
  - injection E as <- <-. auto.
  - cbn [goes_on] in E. set (fit := filter _ left) in E.
    assert (incl fit left) as If by (intros y Y; apply filter_In in Y; apply Y).
    assert (incl fit every) as Ie by (intros y Y; apply I, If, Y).
    destruct (length fit <? S more) eqn:C.
    + injection E as <- <-. split; [exact Sd|]. intros [y [p [F [K [T Ta]]]]]. exfalso. apply Nat.ltb_lt in C.
      assert (NoDup (map y (seq 0 (S more - 0)))) as D.
      { apply NoDup_images. intros i j Hi Hj Q. destruct (Nat.lt_trichotomy i j) as [L|[L|L]]; [|exact L|].
        - pose proof (T i j Hi ltac:(lia)) as A. pose proof (T j j Hj ltac:(lia)) as B. rewrite Q, B in A.
          destruct (Nat.ltb_spec i j), (Nat.ltb_spec j j); try lia; discriminate.
        - pose proof (T j i Hj ltac:(lia)) as A. pose proof (T i i Hi ltac:(lia)) as B. rewrite <- Q, B in A.
          destruct (Nat.ltb_spec j i), (Nat.ltb_spec i i); try lia; discriminate. }
      apply NoDup_incl_length with (l' := fit) in D; [rewrite map_length, seq_length in D; lia|].
      intros a Ha. apply in_map_iff in Ha as [l [<- Hl]]. apply in_seq in Hl. apply filter_In. split; [apply F; lia|].
      apply andb_true_intro. split.
      * apply (leaves_one _ _ (p 0)); [apply K; lia|]. rewrite T by lia. reflexivity.
      * apply forallb_forall. intros tail Ht. destruct (Ta tail Ht) as [x [X Y]].
        apply (leaves_one _ _ x); [exact X|apply Y; lia].
    + match type of E with try_lines ?al ?nx _ _ _ _ _ = _ => set (alone := al) in E; set (next := nx) in E end.
      assert (forall rest s b s', sound s -> alone rest s = (b, s') -> sound s' /\ (fits more []
        rest every -> b = true)) as Al.
      { intros rest s1 b1 s1' Sd1 E1. unfold alone in E1. destruct (S more <? asked); [injection E1 as <- <-; auto|].
        destruct (recall s1 rest more) as [b2|] eqn:R.
        - injection E1 as <- <-. split; [exact Sd1|]. intros Ft. destruct b2; [reflexivity|]. destruct (Sd1 _ _ R Ft).
        - destruct (goes_on more [] rest every s1) as [b2 s2] eqn:G. injection E1 as <- <-.
          destruct (IH _ _ _ _ _ _ (incl_refl every) Sd1 G) as [A B]. split; [apply sound_note; assumption|exact B]. }
      assert (forall behind rest s b s', sound s -> next behind rest s = (b, s') ->
        sound s' /\ (fits more behind rest fit -> b = true)) as Nx.
      { intros behind rest s1 b1 s1' Sd1 E1. exact (IH _ _ _ _ _ _ Ie Sd1 E1). }
      split.
      * refine (proj1 (try_lines_sound alone next _ tails kept 0%N False _ _ _ fit s b s' Sd E)).
        -- intros rest s1 b1 s1' Sd1 E1. split; [apply (Al _ _ _ _ Sd1 E1)|intros []].
        -- intros behind rest s1 b1 s1' Sd1 E1. split; [apply (Nx _ _ _ _ _ Sd1 E1)|intros []].
        -- intros [].
      * intros [y [p [F [K [T Ta]]]]].
        assert (forall l, l < S more -> In (y l) fit) as F'.
        { intros l Hl. apply filter_In. split; [apply F, Hl|]. apply andb_true_intro. split.
          - apply (leaves_one _ _ (p l)); [apply K; lia|]. rewrite T by lia. apply Nat.ltb_irrefl.
          - apply forallb_forall. intros tail Ht. destruct (Ta tail Ht) as [x [X Y]].
            apply (leaves_one _ _ x); [exact X|apply Y, Hl]. }
        destruct (fits_next more tails kept every fit y p F' K T Ta Ie) as [N1 N2].
        refine (proj2 (try_lines_sound alone next _ tails kept (y 0) True _ _ _ fit s b s' Sd E) Logic.I (F' 0
          ltac:(lia))).
        -- intros rest s1 b1 s1' Sd1 E1. destruct (Al _ _ _ _ Sd1 E1) as [A B]. split; [exact A|]. intros _ ->.
          exact (B N2).
        -- intros behind rest s1 b1 s1' Sd1 E1. destruct (Nx _ _ _ _ _ Sd1 E1) as [A B]. split; [exact A|].
           intros _ -> ->. exact (B N1).
        -- intros _. rewrite <- (seq_length (more + extra) 1), <- (map_length p (seq 1 (more + extra))).
          apply ones_at_least.
           ++ assert (forall l, (forall i, In i l -> i < S more + extra) -> NoDup l -> NoDup (map p l)) as M.
              { induction l as [|i l IHl]; intros Bd D; [constructor|]. inversion D as [|? ? Ni Dl]; subst. cbn.
                constructor.
                - intros H. apply in_map_iff in H as [j [Q J]]. assert (i < S more + extra) as Hi by (apply Bd, in_eq).
                  assert (j < S more + extra) as Hj by (apply Bd, in_cons, J).
                  destruct (Nat.lt_trichotomy i j) as [L|[L|L]]; [|subst; contradiction|].
                  + destruct (Nat.lt_ge_cases i (S more)) as [G|G].
                    * pose proof (T i i G Hi) as A. pose proof (T i j G Hj) as B. rewrite Q, A in B.
                      destruct (Nat.ltb_spec i i), (Nat.ltb_spec i j); try lia; discriminate.
                    * lia.
                  + destruct (Nat.lt_ge_cases j (S more)) as [G|G].
                    * pose proof (T j j G Hj) as A. pose proof (T j i G Hi) as B. rewrite Q, B in A.
                      destruct (Nat.ltb_spec j j), (Nat.ltb_spec j i); try lia; discriminate.
                    * lia.
                - apply IHl; [intros j J; apply Bd, in_cons, J|exact Dl]. }
              apply M; [intros i Hi; apply in_seq in Hi; lia|apply seq_NoDup].
           ++ intros x X. apply in_map_iff in X as [i [<- Hi]]. apply in_seq in Hi. rewrite bit_land, K, T by lia.
              destruct (Nat.ltb_spec 0 i); [reflexivity|lia].
Qed.
End Tails.

(* ---- chains ---- *)

Fixpoint one_starts (extra asked : nat) (every : list N) (more : nat) (starts : list N) (s : memory) : bool :=
  match starts with
  | [] => false
  | y :: rest => let (found, s) := goes_on extra asked every more [] y every s in
                 if found then true else one_starts extra asked every more rest s
  end.
Definition check_tails (n : nat) (rows : list N) (concepts label : bool) (size : N) (v : Z) : bool :=
  let '(found, height) := if concepts then (rows, n) else (Sorting.columns_of n rows, length rows) in
  let everything := everywhere height in
  let every := once (if label then found else map (N.ldiff everything) found) in
  let k := N.to_nat size in
  (v =? Z.of_N size - 1)%Z && (0 <? size)%N
  && ((N.of_nat (length every) <? size)%N
      || negb (if label
               then one_starts 1 (k - 2) every (k - 1) (filter (fun y => (size <=? count_ones y)%N) every)
                 (PositiveMap.empty _)
               else one_starts 0 (k - 2) every k [everything] (PositiveMap.empty _))).

Lemma one_starts_sound extra asked every more y : extra <= 1 -> fits extra more [] y every -> forall starts s,
  In y starts -> sound extra every s -> one_starts extra asked every more starts s = true.
Proof.
  intros Ex F. induction starts as [|a starts IH]; intros s I Sd; [destruct I|]. cbn [one_starts].
  destruct (goes_on extra asked every more [] a every s) as [b s'] eqn:E.
  destruct (goes_on_sound extra asked every Ex _ _ _ _ _ _ _ (incl_refl every) Sd E) as [Sd' B].
  destruct b; [reflexivity|]. destruct I as [->|I]; [discriminate (B F)|apply IH; assumption].
Qed.
Lemma sound_empty extra every : sound extra every (PositiveMap.empty _).
Proof. intros kept more R. unfold recall, notes in R. rewrite PositiveMap.gempty in R. discriminate. Qed.

Theorem check_tails_sound n rows concepts label size v :
  check_tails n rows concepts label size v = true -> dimension_at_most (class_thresholds n rows) v.
Proof.
  unfold check_tails. intros H. assert (v = Z.of_N size - 1)%Z as V.
  { destruct concepts; do 2 apply andb_prop in H as [H _]; apply Z.eqb_eq, H. }
  split; [lia|]. intros d Th. apply thresholds_rows in Th as [_ [row_at [point [M T]]]].
  set (k := N.to_nat size) in *. destruct (le_lt_dec k d) as [G|]; [exfalso|lia].
  assert (forall found height line spot,
    (forall b, b < k -> In (line b) found /\ spot b < height) ->
    (forall a b, a < k -> b < k -> bit (line b) (spot a) = (a <=? b)) ->
    let everything := everywhere height in
    let every := once (if label then found else map (N.ldiff everything) found) in
    (0 <? size)%N && ((N.of_nat (length every) <? size)%N
      || negb (if label
               then one_starts 1 (k - 2) every (k - 1) (filter (fun y => (size <=? count_ones y)%N) every)
                 (PositiveMap.empty _)
               else one_starts 0 (k - 2) every k [everything] (PositiveMap.empty _))) = true -> False) as K.
  { clear. intros found height line spot L B everything every H. apply andb_prop in H as [P H]. apply N.ltb_lt in P.
    assert (forall a b, a < k -> b < k -> line a = line b -> a = b) as Ap.
    { intros a b Ha Hb Q. pose proof (B a a Ha Ha) as B1. pose proof (B a b Ha Hb) as B2.
      pose proof (B b b Hb Hb) as B3. pose proof (B b a Hb Ha) as B4. rewrite Q in *.
      destruct (Nat.leb_spec a b), (Nat.leb_spec b a), (Nat.leb_spec a a), (Nat.leb_spec b b); try lia; congruence. }
    set (taken := fun b => if label then line b else N.ldiff everything (line b)).
    assert (forall a b, a < k -> b < k -> bit (taken b) (spot a) = if label then a <=? b else negb (a <=? b)) as Tk.
    { intros a b Ha Hb. unfold taken. destruct label; [apply B; assumption|].
      rewrite bit_ldiff, B by assumption. unfold everything. rewrite everywhere_bit by apply L, Ha. reflexivity. }
    assert (forall b, b < k -> In (taken b) every) as In_every.
    { intros b Hb. unfold every, taken. destruct label; apply once_in; [apply L, Hb|apply in_map, L, Hb]. }
    apply orb_prop in H as [H|H].
    - apply N.ltb_lt in H. assert (NoDup (map taken (seq 0 (k - 0)))) as D.
      { apply NoDup_images. intros a b Ha Hb Q. destruct (Nat.lt_trichotomy a b) as [O|[O|O]]; [|exact O|];
          pose proof (Tk a a Ha Ha) as B1; pose proof (Tk a b Ha Hb) as B2; pose proof (Tk b b Hb Hb) as B3;
          pose proof (Tk b a Hb Ha) as B4; rewrite Q in *;
          destruct label, (Nat.leb_spec a b), (Nat.leb_spec b a), (Nat.leb_spec a a), (Nat.leb_spec b b); try lia;
          cbn in *; congruence. }
      apply NoDup_incl_length with (l' := every) in D; [rewrite map_length, seq_length in D; lia|].
      intros y Hy. apply in_map_iff in Hy as [b [<- Hb]]. apply in_seq in Hb. apply In_every. lia.
    - apply negb_true_iff in H. destruct label.
      + rewrite (one_starts_sound 1 (k - 2) every (k - 1) (taken (k - 1)) (le_n 1)) in H;
        [discriminate| | |apply sound_empty].
        * exists (fun l => taken (k - 2 - l)), (fun i => spot (k - 1 - i)). split; [|split; [|split]].
          -- intros l Hl. apply In_every. lia.
          -- intros i Hi. rewrite Tk by lia. apply Nat.leb_le. lia.
          -- intros l i Hl Hi. rewrite Tk by lia.
             destruct (Nat.leb_spec (k - 1 - i) (k - 2 - l)), (Nat.ltb_spec l i); try lia; reflexivity.
          -- intros tail [].
        * apply filter_In. split; [apply In_every; lia|]. apply N.leb_le.
          replace size with (N.of_nat (length (map spot (seq 0 (k - 0))))) by (rewrite map_length, seq_length; lia).
          apply (ones_at_least 1 (le_n 1)).
          -- apply NoDup_images. intros a b Ha Hb Q. pose proof (B a a Ha Ha) as B1. pose proof (B a b Ha Hb) as B2.
             pose proof (B b b Hb Hb) as B3. pose proof (B b a Hb Ha) as B4. rewrite Q in *.
             destruct (Nat.leb_spec a b), (Nat.leb_spec b a), (Nat.leb_spec a a), (Nat.leb_spec b b); try lia;
               congruence.
          -- intros x X. apply in_map_iff in X as [a [<- Ha]]. apply in_seq in Ha. rewrite Tk by lia.
            apply Nat.leb_le. lia.
      + rewrite (one_starts_sound 0 (k - 2) every k everything (le_S _ _ (le_n 0))) in H; [discriminate| |left;
        reflexivity|apply sound_empty].
        exists taken, spot. split; [exact In_every|]. split; [|split].
        * intros i Hi. apply everywhere_bit, L. lia.
        * intros l i Hl Hi. rewrite Tk by lia. destruct (Nat.leb_spec i l), (Nat.ltb_spec l i); try lia; reflexivity.
        * intros tail []. }
  destruct concepts; apply andb_prop in H as [H H2]; apply andb_prop in H as [_ H1].
  - refine (K rows n (fun b => row_at (d - 1 - b)) (fun a => point (d - 1 - a)) _ _ _).
    + intros b Hb. split; apply M; lia.
    + intros a b Ha Hb. rewrite T by lia.
      destruct (Nat.leb_spec (d - 1 - b) (d - 1 - a)), (Nat.leb_spec a b); try lia; reflexivity.
    + cbv zeta. rewrite H1. exact H2.
  - destruct (triangle_columns _ _ _ _ _ M T) as [line [spot [L [_ B]]]].
    refine (K (Sorting.columns_of n rows) (length rows) line spot _ _ _).
    + intros b Hb. apply L. lia.
    + intros a b Ha Hb. apply B; lia.
    + cbv zeta. rewrite H1. exact H2.
Qed.
