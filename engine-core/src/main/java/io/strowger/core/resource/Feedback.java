package io.strowger.core.resource;

import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A caller's feedback on a generation. Resources fact sheet, section 7.
 *
 * @param generation id of the generation
 * @param category one of {@link #CATEGORIES}
 * @param comment at most 1,000 characters; null for none
 */
public record Feedback(String generation, String category, @Nullable String comment) {
  public static final List<String> CATEGORIES =
      List.of(
          "latency",
          "incoherence",
          "incorrect_response",
          "formatting",
          "billing",
          "api_error",
          "other");

  public Feedback {
    Objects.requireNonNull(generation, "generation");
    Objects.requireNonNull(category, "category");
  }
}
