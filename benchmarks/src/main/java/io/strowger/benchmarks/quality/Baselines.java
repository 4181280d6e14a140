package io.strowger.benchmarks.quality;

import java.util.List;

/**
 * Ways of choosing models that routers are compared with.
 *
 * @param cheapest always the model with the lowest mean cost of the learning questions
 * @param best always the model with the highest mean score of the learning questions
 * @param random a model at random, each with the same probability: the exact expectation of score
 *     and cost, so its standard error comes from the choice of questions alone
 * @param oracle for each question the cheapest of the models with the best outcome, by the outcomes
 *     themselves; a bound that no router can reach without knowing the answers
 */
record Baselines(ChoiceTally cheapest, ChoiceTally best, ChoiceTally random, ChoiceTally oracle) {
  static Baselines of(LearnedModels models, List<Question> judged) {
    var cheapest = new ChoiceTally("always the cheapest model");
    var best = new ChoiceTally("always the best model");
    var random = new ChoiceTally("a random model");
    var oracle = new ChoiceTally("oracle");
    for (Question question : judged) {
      add(cheapest, question, models.cheapest().name());
      add(best, question, models.best().name());
      addExpectation(random, question, models);
      add(oracle, question, cheapestOfBest(question, models));
    }
    return new Baselines(cheapest, best, random, oracle);
  }

  List<ChoiceTally> all() {
    return List.of(cheapest, best, random, oracle);
  }

  private static void add(ChoiceTally tally, Question question, String model) {
    tally.addChoice(model, question.outcome(model));
  }

  private static void addExpectation(ChoiceTally tally, Question question, LearnedModels models) {
    double scores = 0;
    double costs = 0;
    for (LearnedModels.LearnedModel model : models.models()) {
      scores += question.outcome(model.name()).score();
      costs += question.outcome(model.name()).costUsd();
    }
    int count = models.models().size();
    tally.add(scores / count, costs / count);
  }

  private static String cheapestOfBest(Question question, LearnedModels models) {
    String name = models.models().getFirst().name();
    Question.ModelOutcome outcome = question.outcome(name);
    for (LearnedModels.LearnedModel model : models.models()) {
      Question.ModelOutcome other = question.outcome(model.name());
      if (other.score() > outcome.score()
          || other.score() == outcome.score() && other.costUsd() < outcome.costUsd()) {
        name = model.name();
        outcome = other;
      }
    }
    return name;
  }
}
