package io.strowger.benchmarks.quality;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The models with an outcome for more than half of the questions of a file, and the questions that
 * all of these models have an outcome for.
 *
 * @param models the names of the models, in the order of the names
 * @param questions the questions in the order of the file
 * @param droppedQuestions the ids of the other questions, in the order of the file
 * @param droppedModels for each model that was dropped, by its name, the number of questions with
 *     an outcome of it
 */
record ComparableQuestions(
    List<String> models,
    List<Question> questions,
    List<String> droppedQuestions,
    Map<String, Integer> droppedModels) {
  static ComparableQuestions of(List<Question> all) {
    var counts = new TreeMap<String, Integer>();
    for (Question question : all) {
      question.outcomes().keySet().forEach(model -> counts.merge(model, 1, Integer::sum));
    }
    var models = new ArrayList<String>();
    var droppedModels = new TreeMap<String, Integer>();
    counts.forEach(
        (model, count) -> {
          if (2 * count > all.size()) {
            models.add(model);
          } else {
            droppedModels.put(model, count);
          }
        });
    var questions = new ArrayList<Question>();
    var droppedQuestions = new ArrayList<String>();
    for (Question question : all) {
      if (question.outcomes().keySet().containsAll(models)) {
        questions.add(question);
      } else {
        droppedQuestions.add(question.id());
      }
    }
    return new ComparableQuestions(models, questions, droppedQuestions, droppedModels);
  }
}
