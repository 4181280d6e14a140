package io.strowger.benchmarks.quality;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The results of one way of choosing models on the judged questions. Confined to one thread. */
final class ChoiceTally {
  private static final double THOUSAND = 1_000;

  private final String label;
  private final List<Double> scores = new ArrayList<>(); // one per question
  private double costUsd;
  private final Map<String, Integer> chosen = new TreeMap<>();
  private final Map<String, Integer> refusals = new LinkedHashMap<>();

  /**
   * @param label a description of the way of choosing, to be shown
   */
  ChoiceTally(String label) {
    this.label = label;
  }

  String label() {
    return label;
  }

  /** Adds a question for which a model was chosen. */
  void addChoice(String model, Question.ModelOutcome outcome) {
    chosen.merge(model, 1, Integer::sum);
    add(outcome.score(), outcome.costUsd());
  }

  /** Adds a question that was refused: it has the score 0 and costs nothing. */
  void addRefusal(String message) {
    refusals.merge(message, 1, Integer::sum);
    add(0, 0);
  }

  /**
   * Adds a question.
   *
   * @param score the score, 0 to 1
   * @param cost the cost in US dollars
   */
  void add(double score, double cost) {
    scores.add(score);
    costUsd += cost;
  }

  private double scoreSum() {
    double sum = 0;
    for (double score : scores) {
      sum += score;
    }
    return sum;
  }

  /** Returns the mean score of a question, 0 to 1. */
  double meanScore() {
    return scoreSum() / scores.size();
  }

  /**
   * Returns the standard error of the mean score: the standard deviation of the scores, with n-1 in
   * its denominator, divided by the square root of n. Not a number for less than two questions.
   */
  double standardError() {
    double mean = meanScore();
    double squares = 0;
    for (double score : scores) {
      squares += (score - mean) * (score - mean);
    }
    int n = scores.size();
    return n < 2 ? Double.NaN : Math.sqrt(squares / (n - 1) / n);
  }

  /** Returns the cost of 1,000 questions in US dollars. */
  double costOfThousand() {
    return costUsd / scores.size() * THOUSAND;
  }

  /** Returns the sum of the scores divided by the dollars; not a finite number for no dollars. */
  double correctPerDollar() {
    return scoreSum() / costUsd;
  }

  /**
   * Returns the models that were chosen, most often first, with the number of questions of each.
   */
  List<Map.Entry<String, Integer>> chosen() {
    return chosen.entrySet().stream()
        .sorted(Map.Entry.comparingByValue(Comparator.reverseOrder()))
        .toList();
  }

  /** Returns the messages of refusals, with the number of questions of each. */
  Map<String, Integer> refusals() {
    return refusals;
  }

  int questions() {
    return scores.size();
  }
}
