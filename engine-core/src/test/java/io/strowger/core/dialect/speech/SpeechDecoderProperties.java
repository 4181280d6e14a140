package io.strowger.core.dialect.speech;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Mutation;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.TestJson;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.speech.SpeechRequest;
import io.strowger.spi.speech.SpeechTurn;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Label("A speech body")
class SpeechDecoderProperties {
  private static final SpeechDecoder DECODER = new SpeechDecoder();

  @Provide
  Arbitrary<Json.Obj> bodies() {
    return SpeechBodies.valid();
  }

  @Provide
  Arbitrary<Mutation> mutations() {
    return Arbitraries.of(SpeechBodies.mutations());
  }

  @Property
  @Label("that is valid is read, and the typed request agrees with its JSON")
  void accepted(@ForAll("bodies") Json.Obj generated) {
    Json.Obj body = TestJson.parse(generated);
    var problems = new Problems();
    SpeechRequest request = problems.requireValid(DECODER.decode(body, problems));
    assertThat(request.members()).isSameAs(body);
    assertThat(request.model()).hasToString(body.text("model"));
    assertThat(request.voice()).isEqualTo(body.text("voice"));
    assertThat(request.multiSpeaker()).isEqualTo(body.get("input") instanceof Json.Arr);
    for (int i = 0; i < request.turns().size(); i++) {
      assertSameTurn(request.turns().get(i), body, i);
    }
    assertThat(request.format().wireName())
        .isEqualTo(body.has("response_format") ? body.text("response_format") : "pcm");
    assertThat(request.instructions()).isEqualTo(body.text("instructions"));
    assertThat(request.sessionId()).isEqualTo(body.text("session_id"));
    assertThat(request.user()).isEqualTo(body.text("user"));
  }

  private static void assertSameTurn(SpeechTurn turn, Json.Obj body, int i) {
    Json.Arr turns = body.list("input");
    Json.Obj json =
        turns == null
            ? Json.object().put("text", String.valueOf(body.text("input"))).build()
            : (Json.Obj) turns.get(i);
    assertThat(turn.text()).isEqualTo(json.text("text"));
    assertThat(turn.voice()).isEqualTo((json.has("voice") ? json : body).text("voice"));
    assertThat(turn.instructions())
        .isEqualTo((json.has("instructions") ? json : body).text("instructions"));
  }

  @Property(tries = 500)
  @Label("that breaks one rule has exactly one problem, with the pointer of the wrong member")
  void refused(@ForAll("bodies") Json.Obj valid, @ForAll("mutations") Mutation mutation) {
    var problems = new Problems();
    SpeechRequest request = DECODER.decode(TestJson.parse(mutation.of(valid)), problems);
    assertThat(problems.list())
        .singleElement()
        .satisfies(
            (Problem problem) -> {
              assertThat(problem.pointer()).hasToString(mutation.at());
              assertThat(problem.allowed()).isEqualTo(mutation.allowed());
            });
    assertThat(request).isNull();
  }
}
