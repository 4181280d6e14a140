package io.strowger.core.resource;

import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.textUpTo;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body of {@code POST /generation/feedback}. Resources fact sheet, section 7. Immutable,
 * safe on any thread.
 */
public final class FeedbackDecoder {
  private static final int COMMENT_CHARS = 1_000;

  private static final Rule<Feedback> FEEDBACK =
      MemberTable.<Draft>table()
          .required("generation_id", name(), (draft, id) -> draft.generation = id)
          .required(
              "category", wordAmong(Feedback.CATEGORIES), (draft, word) -> draft.category = word)
          .optional(
              "comment",
              textUpTo(COMMENT_CHARS).orNull(),
              (draft, comment) -> draft.comment = comment)
          .build()
          .as(Draft::new, Draft::finish);

  /**
   * Reads a body.
   *
   * @return null when a problem was noted
   */
  public @Nullable Feedback decode(Json.Obj body, Problems problems) {
    return FEEDBACK.read(body, new DecodingContext(problems));
  }

  private static final class Draft {
    private @Nullable String generation;
    private @Nullable String category;
    private @Nullable String comment;

    Feedback finish() {
      return new Feedback(
          Objects.requireNonNull(generation), Objects.requireNonNull(category), comment);
    }
  }
}
