package io.strowger.core.resource;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.textUpTo;
import static io.strowger.core.decode.Rules.wordAmong;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.RequiredMember;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A caller's feedback on a generation. Resources fact sheet, section 7.
 *
 * @param generation id of the generation
 * @param category what the caller complains about
 * @param comment at most 1,000 characters; null for none
 */
public record Feedback(String generation, String category, @Nullable String comment) {
  private static final List<String> CATEGORIES =
      List.of(
          "latency",
          "incoherence",
          "incorrect_response",
          "formatting",
          "billing",
          "api_error",
          "other");

  private static final Rule<Feedback> RULE =
      members()
          .required("generation_id", name())
          .required("category", wordAmong(CATEGORIES))
          .optional("comment", textUpTo(1_000).orNull())
          .as(
              body ->
                  new Feedback(
                      RequiredMember.text(body, "generation_id"),
                      RequiredMember.text(body, "category"),
                      body.text("comment")));

  public Feedback {
    Objects.requireNonNull(generation, "generation");
    Objects.requireNonNull(category, "category");
  }

  /**
   * Reads the body of {@code POST /generation/feedback}.
   *
   * @return null when a problem was noted
   */
  public static @Nullable Feedback read(Json.Obj body, Problems problems) {
    return RULE.read(body, new DecodingContext(problems));
  }
}
