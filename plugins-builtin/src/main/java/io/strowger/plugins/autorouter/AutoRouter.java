package io.strowger.plugins.autorouter;

import io.strowger.plugins.tasks.TaskClassifier;
import io.strowger.spi.catalog.ModelInfo;
import io.strowger.spi.error.ErrorCode;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.ModelSet;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Chooses the best models for the kind of task within the cost limit and the restrictions. */
final class AutoRouter implements RouterPlugin {
  private static final Selection NO_MATCH =
      new Selection.Refusal(
          ErrorCode.CONSTRAINT_FILTERED, "No models match your request and model restrictions");

  private static final Selection NO_MESSAGES =
      new Selection.Refusal(
          ErrorCode.INVALID_REQUEST,
          "The automatic router chooses by messages, and there are none");

  private final ModelRankings modelRankings;
  private final TaskClassifier classifier;
  private final Options options;
  private final Choice anyTask;
  private final Map<String, Choice> byTask;

  /** The reason and data that are recorded for a choice. */
  private record Choice(String reason, Json.Obj data) {}

  /**
   * What a choice is based on, as its reason reports it.
   *
   * @param tier the tier whose models were added; -1 when there is none
   * @param isPinned whether the first model is the pinned one
   * @param isScored whether the models have scores
   * @param isWithinCeiling whether the models cost no more than the ceiling
   */
  private record ChoiceBasis(
      int tier, boolean isPinned, boolean isScored, boolean isWithinCeiling) {}

  /**
   * The options of one plugin entry.
   *
   * @param allowedModels patterns of the models that may be chosen; empty allows every model
   * @param excludedModels patterns of the models that are never chosen
   * @param tier the cost tier, 0 (cheapest) to 4; -1 when none is asked for
   * @param maxPercentile the highest cost percentile, 10 to 90; used when there is no tier
   * @param pinsModel whether to continue with the model of the latest answer
   */
  record Options(
      List<String> allowedModels,
      List<String> excludedModels,
      int tier,
      int maxPercentile,
      boolean pinsModel) {}

  AutoRouter(ModelRankings modelRankings, TaskClassifier classifier, Options options) {
    this.modelRankings = modelRankings;
    this.classifier = classifier;
    this.options = options;
    anyTask = choice(null);
    var choices = new HashMap<String, Choice>();
    for (String label : classifier.labels()) {
      choices.put(label, choice(label));
    }
    byTask = Map.copyOf(choices);
  }

  private Choice choice(@Nullable String task) {
    var facts = new RequestFacts(true, task, false, null);
    return new Choice(
        reason(facts, new ChoiceBasis(options.tier(), false, true, true)),
        data(facts, options.tier()));
  }

  /** Returns the prepared reason and data; null when none was prepared for these facts. */
  private @Nullable Choice prepared(RequestFacts facts) {
    if (facts.classifierFailed()) {
      return null;
    }
    String task = facts.task();
    return task == null ? anyTask : byTask.get(task);
  }

  @Override
  public Json facts(InferenceRequest request) {
    return RequestFacts.of(request, classifier, options.pinsModel(), modelRankings.catalog())
        .toJson();
  }

  @Override
  public Selection select(Candidates candidates) {
    RequestFacts facts = RequestFacts.from(candidates.facts());
    if (!facts.hasMessages()) {
      return NO_MESSAGES;
    }
    var topModels =
        new TopModels(
            candidates,
            toModelSet(options.allowedModels(), candidates),
            toModelSet(options.excludedModels(), candidates));
    int tier = -1;
    boolean isScored = true;
    boolean isWithinCeiling = true;
    for (ModelRankings.Group group : modelRankings.groups()) {
      int[] ranking = group.ranking(facts.isCode());
      if (options.tier() < 0) {
        isWithinCeiling = fillUpTo(topModels, group, ranking);
      } else {
        tier = fillNearestTier(topModels, group, ranking);
      }
      if (!topModels.isEmpty()) {
        isScored = group.isScored();
        break;
      }
    }
    int pinnedOrdinal = pinnedOrdinal(facts, candidates, topModels);
    if (topModels.isEmpty() && pinnedOrdinal < 0) {
      return NO_MATCH;
    }
    Choice prepared =
        pinnedOrdinal < 0 && isScored && isWithinCeiling && tier == options.tier()
            ? prepared(facts)
            : null;
    return new Selection.Models(
        topModels.ids(pinnedOrdinal),
        prepared == null
            ? reason(facts, new ChoiceBasis(tier, pinnedOrdinal >= 0, isScored, isWithinCeiling))
            : prepared.reason(),
        prepared == null ? data(facts, tier) : prepared.data());
  }

  private static @Nullable ModelSet toModelSet(List<String> patterns, Candidates candidates) {
    return patterns.isEmpty() ? null : candidates.matching(patterns);
  }

  /**
   * Adds models of the wanted tier. If that tier has none, adds those of the nearest tier that has
   * any; of two equally near tiers, the cheaper one. Open question 46.
   *
   * @return the tier whose models were added; -1 when no tier has any
   */
  private int fillNearestTier(TopModels topModels, ModelRankings.Group group, int[] ranking) {
    for (int distance = 0; distance < ModelRankings.TIER_COUNT; distance++) {
      if (fillTier(options.tier() - distance, topModels, group, ranking)) {
        return options.tier() - distance;
      }
      if (fillTier(options.tier() + distance, topModels, group, ranking)) {
        return options.tier() + distance;
      }
    }
    return -1;
  }

  private static boolean fillTier(
      int tier, TopModels topModels, ModelRankings.Group group, int[] ranking) {
    topModels.fill(ranking, ordinal -> group.isInTier(tier, ordinal));
    return !topModels.isEmpty();
  }

  /**
   * Adds models up to the cost ceiling; if there are none, the cheapest one. Open question 47.
   *
   * @return whether the models cost no more than the ceiling
   */
  private boolean fillUpTo(TopModels topModels, ModelRankings.Group group, int[] ranking) {
    topModels.fill(ranking, ordinal -> group.isWithinPercentile(options.maxPercentile(), ordinal));
    if (!topModels.isEmpty()) {
      return true;
    }
    topModels.fillOne(group.byCost());
    return false;
  }

  private int pinnedOrdinal(RequestFacts facts, Candidates candidates, TopModels topModels) {
    String id = options.pinsModel() ? facts.pinnedModel() : null;
    ModelInfo model = id == null ? null : candidates.catalog().model(id);
    return model != null && topModels.isEligible(model.ordinal()) ? model.ordinal() : -1;
  }

  private String reason(RequestFacts facts, ChoiceBasis basis) {
    boolean isRanked = basis.isScored() && basis.isWithinCeiling();
    String models = isRanked ? rankedClause(facts) : cheapestClause(basis);
    String pinned =
        !basis.isPinned()
            ? ""
            : isRanked ? "the pinned model, then models " : "the pinned model, then ";
    return pinned + models + costClause(basis);
  }

  private static String rankedClause(RequestFacts facts) {
    String task = facts.task();
    String failure = facts.classifierFailed() ? " because the classifier failed" : "";
    return "ranked for " + (task == null ? "any task" : task) + failure;
  }

  private String cheapestClause(ChoiceBasis basis) {
    String reason =
        basis.isScored()
            ? "is within cost percentile " + options.maxPercentile()
            : "has an intelligence_score or coding_score";
    return "the cheapest, because none that may be used " + reason;
  }

  /** Returns the end of a reason: the limit of the costs, unless the models are above it. */
  private String costClause(ChoiceBasis basis) {
    if (options.tier() < 0) {
      return basis.isWithinCeiling()
          ? ", within cost percentile " + options.maxPercentile()
          : basis.isScored() ? "" : ", above cost percentile " + options.maxPercentile();
    }
    int tier = basis.tier();
    String wanted = AutoRouterProvider.TIERS.get(options.tier());
    return tier < 0 || tier == options.tier()
        ? ", in cost tier " + wanted
        : ", in cost tier "
            + AutoRouterProvider.TIERS.get(tier)
            + ", the nearest to "
            + wanted
            + " with models that may be used";
  }

  /**
   * @param tier the tier whose models were added; -1 when there is none
   */
  private Json.Obj data(RequestFacts facts, int tier) {
    var data = Json.object();
    String task = facts.task();
    if (task != null) {
      data.put("task_type", task);
    }
    if (tier >= 0 && tier != options.tier()) {
      data.put("effective_tier", AutoRouterProvider.TIERS.get(tier));
    }
    return data.build();
  }
}
