(* All kinds of certificates that are proved, and what it means that a certificate is accepted. *)
From Coq Require Import String Bool List.
From CCSim Require Import Json Certificate.
From CCSim Require Import
  Games
  Littlestone
  MeanDepth
  Programs
  Representations
  Failures
  Mechanisms
  FamilyErrors
  VCDimension
  ThresholdDimension
  Domains
  SignRank
  Stars
  Teaching
  Clashes
  LabelTrees
  LabelShattering
  GraphDimension
  PseudoCubes
  PartialThresholds
  PartialStars
  PartialTeaching
  LearnerFailure
  Communication
  Covers
  FoolingSets
  Ranks
  CoverNumbers
  FactorNorms
  Discrepancies
  RectangleBounds
  PowerWeights
  ProtocolTrees
  InteractiveErrors
  PrivateFailure
  Sizes
  SampleComplexity
  Releases
  ReleaseChance.
Import ListNotations.

Definition kinds : list kind :=
  [matrix_game;
   littlestone_dimension;
   randomized_littlestone_dimension;
   linear_program;
   deterministic_representation;
   probabilistic_representation;
   privacy;
   family_error;
   vc_dimension;
   dual_vc_dimension;
   threshold_dimension;
   effective_domain;
   sign_rank_of_matrix;
   star_number;
   teaching_dimension;
   recursive_teaching_dimension;
   no_clash_teaching_dimension;
   partial_littlestone_dimension;
   multiclass_littlestone_dimension;
   partial_vc_dimension;
   partial_dual_vc_dimension;
   natarajan_dimension;
   graph_dimension;
   ds_dimension;
   partial_threshold_dimension;
   partial_star_number;
   partial_teaching_dimension;
   learner_failure;
   errors_of_protocols;
   least_average_errors;
   least_worst_errors;
   numbers_of_messages;
   cover_numbers;
   partition_numbers;
   fractional_covers;
   fractional_partitions;
   rectangle_bounds;
   smooth_rectangle_bounds;
   partition_bounds;
   partitions_of_powers;
   fooling_sets;
   rank_of_matrix;
   protocol_sizes;
   deterministic_costs;
   two_way_errors;
   simultaneous_errors;
   discrepancies;
   factor_norms;
   private_failure;
   approximate_private_failure;
   least_failure;
   representation_size;
   private_sample_complexity;
   approximate_sample_complexity;
   release;
   release_probability].

Definition accepts (c : json) : bool := existsb (fun k => accepted k c) kinds.

Theorem accepts_sound c : accepts c = true -> exists k q low high, In k kinds /\
  proves k c = Some (q, low, high) /\
  (forall v, low = Some v -> lower_means k q v) /\ (forall v, high = Some v -> upper_means k q v).
Proof.
  unfold accepts. intros H. apply existsb_exists in H as [k [K H]]. unfold accepted in H.
  destruct (proves k c) as [[[q low] high]|] eqn:E; [|discriminate].
  exists k, q, low, high. split; [exact K|]. split; [exact E|]. apply proves_sound with (c := c), E.
Qed.

Definition titles : list string := map title kinds.
