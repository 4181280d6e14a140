package io.strowger.benchmarks.quality;

import java.util.ArrayList;
import java.util.List;

/**
 * Questions divided into those that are learned from and those that are judged. A question's part
 * follows from its id alone: it is learned from when the first 32 bits of the SHA-256 of the id are
 * below the wanted percentage of 2³². So a question stays in its part whatever else is in the file.
 *
 * @param learning the questions to learn from, in the order of the file
 * @param judged the questions to judge, in the order of the file
 */
record HashSplit(List<Question> learning, List<Question> judged) {
  private static final int HASH_BITS = 32;
  private static final long PERCENT = 100;

  /**
   * @param learnPercent the percentage of questions to learn from, 1 to 99
   */
  static HashSplit of(List<Question> questions, int learnPercent) {
    var learning = new ArrayList<Question>();
    var judged = new ArrayList<Question>();
    for (Question question : questions) {
      (isLearning(question, learnPercent) ? learning : judged).add(question);
    }
    return new HashSplit(learning, judged);
  }

  private static boolean isLearning(Question question, int learnPercent) {
    long bits = question.idHash() >>> HASH_BITS;
    return bits * PERCENT < ((long) learnPercent << HASH_BITS);
  }
}
