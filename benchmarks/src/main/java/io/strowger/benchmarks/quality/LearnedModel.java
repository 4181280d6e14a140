package io.strowger.benchmarks.quality;

import io.strowger.spi.catalog.UnitPrice;
import java.math.BigDecimal;

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
