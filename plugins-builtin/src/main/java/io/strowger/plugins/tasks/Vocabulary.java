package io.strowger.plugins.tasks;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Words that indicate a kind of task. A line is a label and its words; {@code word=3} has three
 * times the weight of {@code word}, {@code unit_test} stands for two consecutive words, and {@code
 * #image} for a feature of the request. Among labels with equal scores the first in the table wins.
 * Immutable.
 */
final class Vocabulary {
  private final List<String> labels;
  private final Map<String, Entry> entries;
  private final Set<String> firstWords;

  /**
   * The labels that one word indicates.
   *
   * @param number the number of the entry, from 0
   * @param labels the numbers of the labels it indicates
   * @param weights the weight for each of these labels, in the same order
   */
  record Entry(int number, int[] labels, int[] weights) {}

  private record Vote(int label, int weight) {}

  private Vocabulary(List<String> labels, Map<String, List<Vote>> votes) {
    this.labels = List.copyOf(labels);
    var byWord = new HashMap<String, Entry>();
    var starts = new HashSet<String>();
    votes.forEach(
        (word, wordVotes) -> {
          byWord.put(
              word,
              new Entry(
                  byWord.size(),
                  wordVotes.stream().mapToInt(Vote::label).toArray(),
                  wordVotes.stream().mapToInt(Vote::weight).toArray()));
          int space = word.indexOf(' ');
          if (space > 0) {
            starts.add(word.substring(0, space));
          }
        });
    entries = byWord;
    firstWords = starts;
  }

  /**
   * @param table lines of {@code label: word word=2 ...}
   */
  static Vocabulary of(String table) {
    var labels = new ArrayList<String>();
    var votes = new HashMap<String, List<Vote>>();
    for (String line : table.lines().filter(line -> !line.isBlank()).toList()) {
      String[] words = line.strip().split("\\s+");
      labels.add(words[0].substring(0, words[0].length() - 1));
      for (int i = 1; i < words.length; i++) {
        String[] wordAndWeight = words[i].split("=", 2);
        int weight = wordAndWeight.length == 1 ? 1 : Integer.parseInt(wordAndWeight[1]);
        votes
            .computeIfAbsent(wordAndWeight[0].replace('_', ' '), word -> new ArrayList<>())
            .add(new Vote(labels.size() - 1, weight));
      }
    }
    return new Vocabulary(labels, votes);
  }

  List<String> labels() {
    return labels;
  }

  int size() {
    return entries.size();
  }

  /** Returns the entry of a word, two words or a feature; null when there is none. */
  @Nullable Entry find(String word) {
    return entries.get(word);
  }

  /** Returns whether an entry of two words begins with this word. */
  boolean startsPhrase(String word) {
    return firstWords.contains(word);
  }

  /** Adds up the weights for each label; each word is counted once, however often it occurs. */
  final class Tally {
    private final int[] scores = new int[labels.size()];
    private final boolean[] isCounted = new boolean[size()];

    void count(String word, int factor) {
      Entry entry = find(word);
      if (entry != null && !isCounted[entry.number()]) {
        isCounted[entry.number()] = true;
        for (int i = 0; i < entry.labels().length; i++) {
          scores[entry.labels()[i]] += entry.weights()[i] * factor;
        }
      }
    }

    /** Returns the label with the highest score; null when no score reaches the minimum. */
    @Nullable String best(int minScore) {
      int bestLabel = -1;
      for (int i = 0; i < scores.length; i++) {
        if (scores[i] >= minScore && (bestLabel < 0 || scores[i] > scores[bestLabel])) {
          bestLabel = i;
        }
      }
      return bestLabel < 0 ? null : Objects.requireNonNull(labels.get(bestLabel));
    }
  }
}
