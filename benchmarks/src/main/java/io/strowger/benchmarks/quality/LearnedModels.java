package io.strowger.benchmarks.quality;

import io.strowger.spi.catalog.UnitPrice;
import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.function.ToDoubleFunction;

/**
 * The mean costs and the scores of models, learned from their answers to questions, in the form in
 * which a catalog has them.
 *
 * @param models the models, cheapest first; among equally cheap ones the best first, then by name
 */
record LearnedModels(List<LearnedModel> models) {
  private static final int SHARE_DECIMALS = 6;

  private static final Comparator<LearnedModel> CHEAPEST_FIRST =
      Comparator.comparingDouble(LearnedModel::meanCostUsd)
          .thenComparing(Comparator.comparingDouble(LearnedModel::meanScore).reversed())
          .thenComparing(LearnedModel::name);

  LearnedModels {
    models = models.stream().sorted(CHEAPEST_FIRST).toList();
  }

  /**
   * Learns the figures of models.
   *
   * @param names the names of the models; every question must have an outcome of each
   * @param learning the questions to learn from, at least one
   * @param code those of {@code learning} that are about code, at least one
   */
  static LearnedModels of(List<String> names, List<Question> learning, List<Question> code) {
    double[] costs = means(names, learning, Question.ModelOutcome::costUsd);
    double[] scores = means(names, learning, Question.ModelOutcome::score);
    double[] codeScores = means(names, code, Question.ModelOutcome::score);
    var models = new ArrayList<LearnedModel>();
    for (int i = 0; i < names.size(); i++) {
      models.add(
          new LearnedModel(
              names.get(i), costs[i], scores[i], share(scores, i), share(codeScores, i)));
    }
    return new LearnedModels(models);
  }

  private static double[] means(
      List<String> names,
      List<Question> questions,
      ToDoubleFunction<Question.ModelOutcome> figure) {
    double[] means = new double[names.size()];
    for (Question question : questions) {
      for (int i = 0; i < means.length; i++) {
        means[i] += figure.applyAsDouble(question.outcome(names.get(i)));
      }
    }
    for (int i = 0; i < means.length; i++) {
      means[i] /= questions.size();
    }
    return means;
  }

  /** Returns the share of models whose score is not above the score at the index. */
  private static BigDecimal share(double[] scores, int index) {
    int notBetter = 0;
    for (double score : scores) {
      notBetter += score <= scores[index] ? 1 : 0;
    }
    return BigDecimal.valueOf(notBetter)
        .divide(BigDecimal.valueOf(scores.length), SHARE_DECIMALS, RoundingMode.HALF_EVEN);
  }

  /** Returns the model with the lowest mean cost. */
  LearnedModel cheapest() {
    return models.getFirst();
  }

  /** Returns the model with the highest mean score; of equally good ones, the cheapest. */
  LearnedModel best() {
    LearnedModel best = models.getFirst();
    for (LearnedModel model : models) {
      if (model.meanScore() > best.meanScore()) {
        best = model;
      }
    }
    return best;
  }

  /**
   * The figures of a model, from the questions that are learned from.
   *
   * @param name the name in the file
   * @param meanCostUsd the mean cost of a question, in US dollars
   * @param meanScore the mean score over all questions, 0 to 1
   * @param intelligenceScore the share of models that this one is as good as or better than, by the
   *     mean score over all questions; above 0, at most 1
   * @param codingScore the same by the mean score over the questions about code
   */
  record LearnedModel(
      String name,
      double meanCostUsd,
      double meanScore,
      BigDecimal intelligenceScore,
      BigDecimal codingScore) {
    private static final int QUESTIONS_EXPONENT = 3; // a question counts as 1,000 tokens

    /**
     * Returns the price of a token, prompt and completion alike. A question counts as 1,000 tokens,
     * so the price of a million tokens is the cost of 1,000 questions.
     */
    UnitPrice price() {
      return UnitPrice.ofDollarsRounded(
          BigDecimal.valueOf(meanCostUsd).movePointLeft(QUESTIONS_EXPONENT));
    }
  }
}
