package io.strowger.core.config;

import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A closed list of words, each with its meaning.
 *
 * @param <E> the type of the meanings
 */
final class WordChoice<E> {
  private final Map<String, E> meanings = new HashMap<>();
  private final String allowed;

  private WordChoice(Collection<? extends E> values, Function<? super E, String> word) {
    var words = values.stream().map(word).toList();
    values.forEach(value -> meanings.put(word.apply(value), value));
    allowed = "must be " + (words.size() == 1 ? "" : "one of ") + String.join(", ", words);
  }

  static <E> WordChoice<E> of(Collection<? extends E> values, Function<? super E, String> word) {
    return new WordChoice<>(values, word);
  }

  static WordChoice<String> words(String... words) {
    return new WordChoice<>(List.of(words), word -> word);
  }

  @Nullable E meaning(String word) {
    return meanings.get(word);
  }

  /** Returns the rule for problems, such as {@code must be one of a, b}, in the order given. */
  String allowed() {
    return allowed;
  }
}
