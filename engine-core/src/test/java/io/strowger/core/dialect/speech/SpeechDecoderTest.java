package io.strowger.core.dialect.speech;

import static io.strowger.core.dialect.speech.SpeechBodies.array;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Drawn;
import io.strowger.core.decode.Mutation;
import io.strowger.core.decode.Problems;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.speech.SpeechFormat;
import io.strowger.spi.speech.SpeechPreferences;
import io.strowger.spi.speech.SpeechReferences;
import io.strowger.spi.speech.SpeechReferences.Clip;
import io.strowger.spi.speech.SpeechReferences.Voice;
import io.strowger.spi.speech.SpeechRequest;
import io.strowger.spi.speech.SpeechTurn;
import io.strowger.tck.conformance.Proves;
import java.math.BigDecimal;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName("POST /audio/speech: the body")
class SpeechDecoderTest {
  private static final SpeechDecoder DECODER = new SpeechDecoder();
  private static final String LEAST = "'model':'tts','input':'hello','voice':'ada'";

  private static Json.Obj body(String more) {
    return (Json.Obj) Drawn.json("{" + LEAST + (more.isEmpty() ? "" : "," + more) + "}");
  }

  private static SpeechRequest good(Json.Obj body) {
    var problems = new Problems();
    return problems.requireValid(DECODER.decode(body, problems));
  }

  private static SpeechRequest good(String more) {
    return good(body(more));
  }

  private static List<String> problems(Json.Obj body) {
    var problems = new Problems();
    assertThat(DECODER.decode(body, problems) == null).isEqualTo(!problems.isEmpty());
    return problems.list().stream().map(Problem::toString).toList();
  }

  private static List<String> problems(String more) {
    return problems(body(more));
  }

  private static Json.Obj with(String member, String json) {
    return body("").with(member, Drawn.json(json));
  }

  private static String chars(int count) {
    return "'" + "x".repeat(count) + "'";
  }

  @Proves({
    "operation.speech.input",
    "operation.speech.model",
    "operation.speech.response_format",
    "operation.speech.trace",
    "speech.member.trace",
    "answers.speech-names"
  })
  @TestFactory
  @DisplayName("breaks one rule at a time:")
  Stream<DynamicTest> mutations() {
    return SpeechBodies.mutations().stream()
        .map(
            (Mutation broken) ->
                DynamicTest.dynamicTest(
                    broken.at() + " " + broken.allowed(),
                    () ->
                        assertThat(problems(broken.of(body(""))))
                            .singleElement()
                            .asString()
                            .startsWith(broken.at() + ": " + broken.allowed())));
  }

  @Proves({
    "operation.speech.model",
    "routing.preference.subsets",
    "speech.member.model",
    "speech.member.voice",
    "speech.member.provider"
  })
  @Test
  @DisplayName("says everything that is wrong at once, where it is, what is allowed and what came")
  void all() {
    assertThat(
            problems(
                (Json.Obj)
                    Drawn.json(
                        "{'input':[{'voice':''},7],'response_format':'ogg','speed':0,"
                            + "'provider':{'order':[]},'user':1}")))
        .containsExactly(
            "/input/0/voice: must be a string, not empty, was \"\"",
            "/input/0/text: is required",
            "/input/1: must be an object, was 7",
            "/response_format: must be one of mp3, pcm, was \"ogg\"",
            "/speed: must be a number greater than 0, was 0",
            "/provider/order: is not a member of provider for speech, which has zdr,"
                + " data_collection, options, was an array of 0",
            "/user: must be a string of at most 256 characters, was 1",
            "/model: is required",
            "/voice: is required");
  }

  @Nested
  @DisplayName("with only what is required")
  class Defaults {
    @Proves({"speech.member.response_format", "speech.member.speed"})
    @Test
    @DisplayName("is one turn in pcm at normal speed, and no more")
    void defaults() {
      SpeechRequest request = good("");
      assertThat(request.model()).hasToString("tts");
      assertThat(request.turns()).containsExactly(new SpeechTurn("hello", "ada", null));
      assertThat(request.multiSpeaker()).isFalse();
      assertThat(request.format()).isEqualTo(SpeechFormat.PCM);
      assertThat(request.speed()).isEqualByComparingTo(BigDecimal.ONE);
      assertThat(request.instructions()).isNull();
      assertThat(request.references()).isEqualTo(SpeechReferences.NONE);
      assertThat(request.preferences()).isEqualTo(SpeechPreferences.NONE);
      assertThat(request.sessionId()).isNull();
      assertThat(request.user()).isNull();
    }

    @Test
    @DisplayName("keeps members nobody knows")
    void unknown() {
      assertThat(good("'lexicon':[1,null]").members().get("lexicon"))
          .isEqualTo(Drawn.json("[1,null]"));
    }
  }

  @Nested
  @DisplayName("input")
  class Input {
    @Test
    @DisplayName("may be an empty text: no least length is given for it")
    void empty() {
      assertThat(good(with("input", "''")).turns().get(0).text()).isEmpty();
    }

    @Proves({
      "operation.speech.input",
      "operation.speech.instructions",
      "speech.member.input",
      "speech.member.instructions",
      "answers.speech-names"
    })
    @Test
    @DisplayName("as turns takes voice and instructions from the request where a turn has none")
    void turns() {
      SpeechRequest request =
          good(
              with("input", "[{'text':'a'},{'text':'b','voice':'bob','instructions':'sadly'}]")
                  .with("instructions", Json.of("gladly")));
      assertThat(request.multiSpeaker()).isTrue();
      assertThat(request.turns())
          .containsExactly(
              new SpeechTurn("a", "ada", "gladly"), new SpeechTurn("b", "bob", "sadly"));
      assertThat(request.voice()).isEqualTo("ada");
      assertThat(request.instructions()).isEqualTo("gladly");
    }

    @Proves({"operation.speech.voice", "speech.member.voice"})
    @Test
    @DisplayName("needs the request's voice even if every turn has its own")
    void voice() {
      assertThat(problems(with("input", "[{'text':'a','voice':'b'}]").without("voice")))
          .containsExactly("/voice: is required");
    }
  }

  @Nested
  @DisplayName("response_format and speed")
  class Sound {
    @Proves({"operation.speech.response_format", "operation.speech.answer"})
    @Test
    @DisplayName("mp3 is audio/mpeg, pcm is audio/pcm")
    void formats() {
      assertThat(good("'response_format':'mp3'").format().contentType()).isEqualTo("audio/mpeg");
      assertThat(good("'response_format':'pcm'").format().contentType()).isEqualTo("audio/pcm");
    }

    @Proves({"operation.speech.speed", "speech.member.speed"})
    @Test
    @DisplayName("any speed above 0 is one")
    void speed() {
      assertThat(good("'speed':0.0001").speed()).isEqualByComparingTo("0.0001");
      assertThat(good("'speed':1000").speed()).isEqualByComparingTo("1000");
      assertThat(problems("'speed':0.0")).hasSize(1);
      assertThat(problems("'speed':1e9999999999"))
          .containsExactly("/speed: must be a number, was 1e9999999999");
    }
  }

  @Nested
  @DisplayName("Limits")
  class Limits {
    @Proves({
      "operation.speech.session_id",
      "operation.speech.user",
      "limit.session_id",
      "limit.user",
      "speech.member.ids"
    })
    @Test
    @DisplayName("session_id and user have at most 256 characters")
    void ids() {
      String astral = "'" + "\uD83D\uDE00".repeat(256) + "'";
      for (String member : List.of("session_id", "user")) {
        assertThat(problems(with(member, chars(255)))).isEmpty();
        assertThat(problems(with(member, chars(256)))).isEmpty();
        assertThat(problems(with(member, astral))).isEmpty();
        assertThat(problems(with(member, chars(257)))).hasSize(1);
      }
    }

    @Proves({"operation.speech.voice", "limit.voice"})
    @Test
    @DisplayName("voice has at least 1 character")
    void voice() {
      assertThat(problems(with("voice", "''"))).hasSize(1);
      assertThat(problems(with("voice", "'v'"))).isEmpty();
      assertThat(problems(with("voice", "'vv'"))).isEmpty();
    }

    @Proves({"operation.speech.references", "limit.references"})
    @Test
    @DisplayName("reference audio parts are 1 to 3")
    void clips() {
      for (int clips = 1; clips <= 3; clips++) {
        assertThat(problems(references(clip("A").repeat(clips)))).isEmpty();
      }
      assertThat(problems(references(clip("A").repeat(4))))
          .containsExactly(
              "/input_references: must have at most 3 parts of type input_audio, was 4");
    }

    @Proves("speech.member.input_references")
    @Test
    @DisplayName("data has 1 to 20,971,520 characters, also as a data: URL")
    void data() {
      assertThat(problems(references(clip("")))).hasSize(1);
      assertThat(problems(references(clip("data:audio/wav;base64,QQ==")))).isEmpty();
      assertThat(problems(references(clip("x".repeat(20_971_519))))).isEmpty();
      assertThat(problems(references(clip("x".repeat(20_971_520))))).isEmpty();
      assertThat(problems(references(clip("x".repeat(20_971_521)))))
          .containsExactly(
              "/input_references/0/input_audio/data: must be a string of 1 to 20971520 characters,"
                  + " was \""
                  + "x".repeat(40)
                  + "...\"");
    }

    @Proves("speech.member.input_references")
    @Test
    @DisplayName("a transcript has at most 10,000 characters")
    void transcript() {
      assertThat(problems(references(clip("A") + said("")))).isEmpty();
      assertThat(problems(references(clip("A") + said("x".repeat(9_999))))).isEmpty();
      assertThat(problems(references(clip("A") + said("x".repeat(10_000))))).isEmpty();
      assertThat(problems(references(clip("A") + said("x".repeat(10_001))))).hasSize(1);
    }
  }

  /** Parts, each with a comma behind it. */
  private static Json.Obj references(String parts) {
    return with("input_references", array(parts.substring(0, parts.length() - 1)));
  }

  private static String clip(String data) {
    return "{'type':'input_audio','input_audio':{'data':'" + data + "','format':'wav'}},";
  }

  private static String said(String text) {
    return "{'type':'text','text':'" + text + "'},";
  }

  @Nested
  @DisplayName("input_references")
  class References {
    private SpeechReferences of(String parts) {
      return good(references(parts)).references();
    }

    private Clip heard(String data, String transcript) {
      return new Clip(Json.of(data), "wav", transcript);
    }

    @Proves({"operation.speech.references", "speech.member.input_references"})
    @Test
    @DisplayName("an empty array means none")
    void none() {
      assertThat(good("'input_references':[]").references()).isEqualTo(SpeechReferences.NONE);
    }

    @Proves("operation.speech.references")
    @Test
    @DisplayName("a single clip's transcript may come before or after it")
    void single() {
      var clip = new Voice(List.of(heard("A", "a")));
      assertThat(of(clip("A") + said("a"))).isEqualTo(clip);
      assertThat(of(said("a") + clip("A"))).isEqualTo(clip);
      assertThat(of(clip("A"))).isEqualTo(new Voice(List.of(new Clip(Json.of("A"), "wav", null))));
    }

    @Proves({"operation.speech.references", "speech.member.input_references"})
    @Test
    @DisplayName("with several clips each transcript belongs to the clip right before it")
    void several() {
      assertThat(of(clip("A") + clip("B") + said("b") + clip("C")))
          .isEqualTo(
              new Voice(
                  List.of(
                      new Clip(Json.of("A"), "wav", null),
                      heard("B", "b"),
                      new Clip(Json.of("C"), "wav", null))));
      assertThat(of(clip("A") + said("a") + clip("B") + said("b")))
          .isEqualTo(new Voice(List.of(heard("A", "a"), heard("B", "b"))));
    }

    @Proves({"operation.speech.references", "speech.member.input_references"})
    @Test
    @DisplayName("an image is alone")
    void image() {
      String face = "{'type':'image_url','image_url':{'url':'u'}},";
      assertThat(of(face)).isEqualTo(new SpeechReferences.Image(Json.of("u")));
      assertThat(problems(references(face + said("a") + face)))
          .containsExactly(
              "/input_references/1: must be the transcript of an input_audio, was \"text\"",
              "/input_references/2: must be the only image_url, was \"image_url\"");
    }

    @Test
    @DisplayName("a part that is wrong in itself does not hide that the order is")
    void both() {
      assertThat(problems(references(said("a") + clip("") + clip("B"))))
          .containsExactly(
              "/input_references/1/input_audio/data: must be a string of 1 to 20971520 characters,"
                  + " was \"\"",
              "/input_references/0: must directly follow the input_audio it belongs to, was"
                  + " \"text\"");
    }

    @Test
    @DisplayName("a part of an unknown kind is all that is said about them")
    void unknownKind() {
      assertThat(problems(references(said("a") + "{'type':'video'},")))
          .containsExactly(
              "/input_references/1/type: must be one of input_audio, text, image_url, was"
                  + " \"video\"");
    }
  }

  @Nested
  @DisplayName("provider")
  class Provider {
    @Proves({"operation.speech.provider", "speech.member.provider"})
    @Test
    @DisplayName("asks for a data policy and carries options by slug")
    void policy() {
      assertThat(
              good("'provider':{'zdr':true,'data_collection':'deny','options':{'alpha':{'x':1}}}")
                  .preferences())
          .isEqualTo(new SpeechPreferences(true, true, (Json.Obj) Drawn.json("{'alpha':{'x':1}}")));
    }

    @Test
    @DisplayName("asks for nothing with null")
    void nulls() {
      assertThat(good("'provider':{'zdr':null,'data_collection':null}").preferences())
          .isEqualTo(SpeechPreferences.NONE);
    }
  }
}
