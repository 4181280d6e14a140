package io.strowger.benchmarks.quality;

import io.strowger.core.digest.Sha256;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Objects;

/**
 * A question with the outcomes of the models that were asked.
 *
 * @param id names the question within its file
 * @param dataset where the question is from; empty when the file does not say
 * @param category the subject or task; empty when the file does not say
 * @param prompt the text a model is asked
 * @param outcomes the outcomes by the names of the models
 */
record Question(
    String id, String dataset, String category, String prompt, Map<String, ModelOutcome> outcomes) {
  Question {
    outcomes = Map.copyOf(outcomes);
  }

  /** Returns the outcome of a model that was asked. */
  ModelOutcome outcome(String model) {
    return Objects.requireNonNull(outcomes.get(model), model);
  }

  /** Returns the first 64 bits of the SHA-256 of the id. */
  long idHash() {
    return ByteBuffer.wrap(Sha256.of(id)).getLong();
  }

  /**
   * The result of one model on one question.
   *
   * @param score the score, from 0 (wrong) to 1 (right)
   * @param costUsd the cost of the answer in US dollars, at least 0
   */
  record ModelOutcome(double score, double costUsd) {}
}
