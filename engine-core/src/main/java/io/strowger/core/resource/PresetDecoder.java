package io.strowger.core.resource;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.bool;
import static io.strowger.core.decode.Rules.integer;

import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.MemberTable;
import io.strowger.core.decode.Problems;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Reads the body that creates a preset: the body of an inference request, checked by all the rules
 * for one. Contract: "POST /presets/{slug}/chat/completions"; resources fact sheet, section 2; open
 * questions 64 and 70. Immutable, safe on any thread.
 *
 * @param bodyDecoder the decoder of inference requests of the dialect
 */
public record PresetDecoder(Dialect dialect, BodyDecoder bodyDecoder) {
  /** The members that a preset may have and an inference request may not. */
  private static final MemberTable<Json.Obj> CACHE =
      members()
          .optional("cache_enabled", bool())
          .optional("cache_ttl_seconds", integer(1, 86_400))
          .build();

  /** Reads the bodies of one dialect. */
  @FunctionalInterface
  public interface BodyDecoder {
    InferenceRequest decode(Json.Obj body, Problems problems);
  }

  /**
   * Reads a body.
   *
   * @param slug from the path, where {@link PathParameters#presetSlug} checks it
   * @return null when a problem was noted
   */
  public @Nullable NewPreset decode(String slug, Json.Obj requestBody, Problems problems) {
    int problemsBefore = problems.count();
    bodyDecoder.decode(requestBody, problems);
    CACHE.read(requestBody, new DecodingContext(problems), requestBody);
    return problems.count() > problemsBefore
        ? null
        : new NewPreset(
            slug, PresetConfigs.of(requestBody, dialect), systemPrompt(requestBody, dialect));
  }

  /**
   * Returns the system prompt of a request that becomes a preset; null when there is none, or it is
   * empty. Several prompts are joined by a blank line; developer messages count as system messages.
   * Resources fact sheet, section 2; open question 70.
   */
  private static @Nullable String systemPrompt(Json.Obj request, Dialect dialect) {
    var texts = new ArrayList<String>();
    switch (dialect) {
      case CHAT -> collect(request.list("messages"), texts);
      case MESSAGES -> addText(request.get("system"), texts);
      case RESPONSES -> addText(request.get("instructions"), texts);
      case GEMINI ->
          throw new IllegalArgumentException("callers cannot use the dialect " + dialect);
    }
    return texts.isEmpty() ? null : String.join("\n\n", texts);
  }

  private static void collect(Json.@Nullable Arr messages, List<String> texts) {
    for (Json message : messages == null ? List.<Json>of() : messages) {
      if (message instanceof Json.Obj object
          && object.text("role") instanceof String role
          && (role.equals("system") || role.equals("developer"))) {
        addText(object.get("content"), texts);
      }
    }
  }

  /** Adds a string, or the texts of an array of parts or blocks. */
  private static void addText(@Nullable Json content, List<String> texts) {
    switch (content) {
      case Json.Str str when !str.isEmpty() -> texts.add(str.text());
      case Json.Arr parts -> {
        for (Json part : parts) {
          if (part instanceof Json.Obj object) {
            addText(object.get("text"), texts);
          }
        }
      }
      case null, default -> {}
    }
  }
}
