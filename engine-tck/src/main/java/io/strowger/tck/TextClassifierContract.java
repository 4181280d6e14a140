package io.strowger.tck;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.plugin.TextClassifier;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

/**
 * The contract test of {@link TextClassifier}: its category names never change, it reports only
 * these categories, it accepts every text, and it gives the same results on many threads at once.
 */
public abstract class TextClassifierContract {
  private static final String NAME = "[a-z0-9]+(-[a-z0-9]+)*";
  private static final int LONG = 1 << 20;

  /** Returns the classifier under test. */
  protected abstract TextClassifier classifier();

  /** Returns a text that belongs to at least one category. */
  protected abstract String flaggedText();

  /** Returns a text that belongs to no category. */
  protected abstract String cleanText();

  private static Set<String> classify(TextClassifier classifier, String text) {
    return classifier.classify(text, FakeChain.of(List.of()));
  }

  @Test
  @DisplayName("categories() returns valid names, none twice and always the same")
  void categories() {
    List<String> categories = classifier().categories();
    assertThat(categories)
        .isNotEmpty()
        .doesNotHaveDuplicates()
        .allMatch(name -> name.matches(NAME))
        .isEqualTo(classifier().categories());
  }

  @Test
  @DisplayName("it finds only categories of its own, and none in a clean text")
  void finds() {
    TextClassifier classifier = classifier();
    assertThat(classify(classifier, flaggedText()))
        .isNotEmpty()
        .isSubsetOf(classifier.categories());
    assertThat(classify(classifier, cleanText())).isEmpty();
  }

  @Test
  @DisplayName("it answers for every text: blank, half a pair of surrogates, a million characters")
  void everyText() {
    TextClassifier classifier = classifier();
    for (String text : List.of(" ", "\n", "\uD83D", "\u0000", "x".repeat(LONG))) {
      assertThat(classify(classifier, text)).isNotNull().isSubsetOf(classifier.categories());
    }
  }

  @Test
  @DisplayName("it gives the same results on several threads at once, whatever texts came before")
  void threads() throws Exception {
    TextClassifier classifier = classifier();
    Set<String> expected = classify(classifier, flaggedText());
    var calls = new ArrayList<Callable<Boolean>>();
    for (int i = 0; i < 32; i++) {
      boolean flagged = i % 2 == 0;
      calls.add(
          () ->
              classify(classifier, flagged ? flaggedText() : cleanText())
                  .equals(flagged ? expected : Set.of()));
    }
    try (var threads = Executors.newFixedThreadPool(8)) {
      for (var result : threads.invokeAll(calls)) {
        assertThat(result.get()).isTrue();
      }
    }
  }
}
