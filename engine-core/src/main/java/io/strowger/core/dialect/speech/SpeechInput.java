package io.strowger.core.dialect.speech;

import static io.strowger.core.decode.MemberTable.members;
import static io.strowger.core.decode.Rules.list;
import static io.strowger.core.decode.Rules.name;
import static io.strowger.core.decode.Rules.string;

import io.strowger.core.decode.ByJsonType;
import io.strowger.core.decode.DecodingContext;
import io.strowger.core.decode.RequiredMember;
import io.strowger.core.decode.Rule;
import io.strowger.spi.json.Json;
import io.strowger.spi.speech.SpeechRequest;
import io.strowger.spi.speech.SpeechTurn;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * {@code input}: a text, or turns of several speakers. Contract: "POST /audio/speech"; speech fact
 * sheet, {@code input}.
 *
 * <p>A text may be empty, since the contract gives a minimum length only for the voice. An array
 * without turns is rejected, because it has no text, which is required.
 *
 * @param isTurnArray whether the input was an array of turns
 */
record SpeechInput(List<Turn> turns, boolean isTurnArray) {
  /** A turn of the request. A null member means that the value of the whole request applies. */
  record Turn(String text, @Nullable String voice, @Nullable String instructions) {}

  private static final Rule<Turn> TURN =
      members()
          .required("text", string())
          .optional("voice", name())
          .optional("instructions", string())
          .as(
              turn ->
                  new Turn(
                      RequiredMember.text(turn, "text"),
                      turn.text("voice"),
                      turn.text("instructions")));

  private static final Rule<List<Turn>> TURNS = list(TURN, 1, Integer.MAX_VALUE);

  static final Rule<SpeechInput> RULE =
      ByJsonType.<SpeechInput>of("must be a string or an array of turns")
          .string(SpeechInput::ofText)
          .array(SpeechInput::ofTurns);

  SpeechInput {
    turns = List.copyOf(turns);
  }

  private static @Nullable SpeechInput ofText(Json value, DecodingContext context) {
    Json.Str text = string().read(value, context);
    return text == null ? null : new SpeechInput(List.of(new Turn(text.text(), null, null)), false);
  }

  private static @Nullable SpeechInput ofTurns(Json value, DecodingContext context) {
    List<Turn> turns = TURNS.read(value, context);
    return turns == null ? null : new SpeechInput(turns, true);
  }

  /** Sets the text or the turns of the request. */
  void putInto(SpeechRequest.Builder request, String voice, @Nullable String instructions) {
    List<SpeechTurn> speechTurns =
        turns.stream().map(turn -> resolve(turn, voice, instructions)).toList();
    if (isTurnArray) {
      request.turns(speechTurns);
    } else {
      request.text(speechTurns.get(0));
    }
  }

  private static SpeechTurn resolve(Turn turn, String voice, @Nullable String instructions) {
    return new SpeechTurn(
        turn.text,
        turn.voice == null ? voice : turn.voice,
        turn.instructions == null ? instructions : turn.instructions);
  }
}
