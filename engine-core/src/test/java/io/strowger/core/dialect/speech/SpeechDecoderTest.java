package io.strowger.core.dialect.speech;

import static io.strowger.core.dialect.speech.SpeechBodies.array;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Mutation;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.TestJson;
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

@DisplayName("A speech body")
class SpeechDecoderTest {
  private static final SpeechDecoder DECODER = new SpeechDecoder();
  private static final String REQUIRED_MEMBERS = "'model':'tts','input':'hello','voice':'ada'";

  private static Json.Obj body(String more) {
    return (Json.Obj)
        TestJson.of("{" + REQUIRED_MEMBERS + (more.isEmpty() ? "" : "," + more) + "}");
  }

  private static SpeechRequest decode(Json.Obj body) {
    var problems = new Problems();
    return problems.requireValid(DECODER.decode(body, problems));
  }

  private static SpeechRequest decode(String more) {
    return decode(body(more));
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
    return body("").with(member, TestJson.of(json));
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
  @DisplayName("is refused when it breaks one rule:")
  Stream<DynamicTest> mutations() {
    return SpeechBodies.mutations().stream()
        .map(
            (Mutation mutation) ->
                DynamicTest.dynamicTest(
                    mutation.at() + " " + mutation.allowed(),
                    () ->
                        assertThat(problems(mutation.of(body(""))))
                            .singleElement()
                            .asString()
                            .startsWith(mutation.at() + ": " + mutation.allowed())));
  }

  @Proves({
    "operation.speech.model",
    "routing.preference.subsets",
    "speech.member.model",
    "speech.member.voice",
    "speech.member.provider"
  })
  @Test
  @DisplayName(
      "is refused with all problems at once, each with its pointer, the allowed and the given "
          + "value")
  void all() {
    assertThat(
            problems(
                (Json.Obj)
                    TestJson.of(
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
  @DisplayName("with only the required members")
  class Defaults {
    @Proves({"speech.member.response_format", "speech.member.speed"})
    @Test
    @DisplayName("is one turn in pcm at normal speed, and nothing else")
    void defaults() {
      SpeechRequest request = decode("");
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
    @DisplayName("keeps unknown members if there are any")
    void unknown() {
      assertThat(decode("'lexicon':[1,null]").members().get("lexicon"))
          .isEqualTo(TestJson.of("[1,null]"));
    }
  }

  @Nested
  @DisplayName("in its input")
  class Input {
    @Test
    @DisplayName("may have an empty text, since no minimum length is defined")
    void empty() {
      assertThat(decode(with("input", "''")).turns().get(0).text()).isEmpty();
    }

    @Proves({
      "operation.speech.input",
      "operation.speech.instructions",
      "speech.member.input",
      "speech.member.instructions",
      "answers.speech-names"
    })
    @Test
    @DisplayName(
        "may have turns, which take voice and instructions from the request where they have none")
    void turns() {
      SpeechRequest request =
          decode(
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
  @DisplayName("in response_format and speed")
  class Sound {
    @Proves({"operation.speech.response_format", "operation.speech.answer"})
    @Test
    @DisplayName("asks for audio/mpeg with mp3 and for audio/pcm with pcm")
    void formats() {
      assertThat(decode("'response_format':'mp3'").format().contentType()).isEqualTo("audio/mpeg");
      assertThat(decode("'response_format':'pcm'").format().contentType()).isEqualTo("audio/pcm");
    }

    @Proves({"operation.speech.speed", "speech.member.speed"})
    @Test
    @DisplayName("may have any speed above 0")
    void speed() {
      assertThat(decode("'speed':0.0001").speed()).isEqualByComparingTo("0.0001");
      assertThat(decode("'speed':1000").speed()).isEqualByComparingTo("1000");
      assertThat(problems("'speed':0.0")).hasSize(1);
      assertThat(problems("'speed':1e9999999999"))
          .containsExactly("/speed: must be a number, was 1e9999999999");
    }
  }

  @Nested
  @DisplayName("at its limits")
  class Limits {
    @Proves({
      "operation.speech.session_id",
      "operation.speech.user",
      "limit.session_id",
      "limit.user",
      "speech.member.ids"
    })
    @Test
    @DisplayName("has at most 256 characters in session_id and in user")
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
    @DisplayName("has at least 1 character in voice")
    void voice() {
      assertThat(problems(with("voice", "''"))).hasSize(1);
      assertThat(problems(with("voice", "'v'"))).isEmpty();
      assertThat(problems(with("voice", "'vv'"))).isEmpty();
    }

    @Proves({"operation.speech.references", "limit.references"})
    @Test
    @DisplayName("has at most 3 audio parts as references")
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
    @DisplayName("has 1 to 20,971,520 characters of audio data, also in a data: URL")
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
    @DisplayName("has at most 10,000 characters in a transcript")
    void transcript() {
      assertThat(problems(references(clip("A") + transcriptPart("")))).isEmpty();
      assertThat(problems(references(clip("A") + transcriptPart("x".repeat(9_999))))).isEmpty();
      assertThat(problems(references(clip("A") + transcriptPart("x".repeat(10_000))))).isEmpty();
      assertThat(problems(references(clip("A") + transcriptPart("x".repeat(10_001))))).hasSize(1);
    }
  }

  /** Returns a body with these parts as references; each part ends with a comma. */
  private static Json.Obj references(String parts) {
    return with("input_references", array(parts.substring(0, parts.length() - 1)));
  }

  private static String clip(String data) {
    return "{'type':'input_audio','input_audio':{'data':'" + data + "','format':'wav'}},";
  }

  private static String transcriptPart(String text) {
    return "{'type':'text','text':'" + text + "'},";
  }

  @Nested
  @DisplayName("in input_references")
  class References {
    private SpeechReferences of(String parts) {
      return decode(references(parts)).references();
    }

    private Clip transcribedClip(String data, String transcript) {
      return new Clip(Json.of(data), "wav", transcript);
    }

    @Proves({"operation.speech.references", "speech.member.input_references"})
    @Test
    @DisplayName("may have an empty array, which means none")
    void none() {
      assertThat(decode("'input_references':[]").references()).isEqualTo(SpeechReferences.NONE);
    }

    @Proves("operation.speech.references")
    @Test
    @DisplayName("may have the transcript of a single clip before or after it")
    void single() {
      var clip = new Voice(List.of(transcribedClip("A", "a")));
      assertThat(of(clip("A") + transcriptPart("a"))).isEqualTo(clip);
      assertThat(of(transcriptPart("a") + clip("A"))).isEqualTo(clip);
      assertThat(of(clip("A"))).isEqualTo(new Voice(List.of(new Clip(Json.of("A"), "wav", null))));
    }

    @Proves({"operation.speech.references", "speech.member.input_references"})
    @Test
    @DisplayName("has each transcript directly after its clip, if there are several clips")
    void several() {
      assertThat(of(clip("A") + clip("B") + transcriptPart("b") + clip("C")))
          .isEqualTo(
              new Voice(
                  List.of(
                      new Clip(Json.of("A"), "wav", null),
                      transcribedClip("B", "b"),
                      new Clip(Json.of("C"), "wav", null))));
      assertThat(of(clip("A") + transcriptPart("a") + clip("B") + transcriptPart("b")))
          .isEqualTo(new Voice(List.of(transcribedClip("A", "a"), transcribedClip("B", "b"))));
    }

    @Proves({"operation.speech.references", "speech.member.input_references"})
    @Test
    @DisplayName("may have one image, without any other part")
    void image() {
      String face = "{'type':'image_url','image_url':{'url':'u'}},";
      assertThat(of(face)).isEqualTo(new SpeechReferences.Image(Json.of("u")));
      assertThat(problems(references(face + transcriptPart("a") + face)))
          .containsExactly(
              "/input_references/1: must be the transcript of an input_audio, was \"text\"",
              "/input_references/2: must be the only image_url, was \"image_url\"");
    }

    @Test
    @DisplayName("is refused for a wrong part and for the wrong order at once")
    void both() {
      assertThat(problems(references(transcriptPart("a") + clip("") + clip("B"))))
          .containsExactly(
              "/input_references/1/input_audio/data: must be a string of 1 to 20971520 characters,"
                  + " was \"\"",
              "/input_references/0: must directly follow the input_audio it belongs to, was"
                  + " \"text\"");
    }

    @Test
    @DisplayName("is refused only for a part of an unknown type, and not also for the order")
    void unknownKind() {
      assertThat(problems(references(transcriptPart("a") + "{'type':'video'},")))
          .containsExactly(
              "/input_references/1/type: must be one of input_audio, text, image_url, was"
                  + " \"video\"");
    }
  }

  @Nested
  @DisplayName("in provider")
  class Provider {
    @Proves({"operation.speech.provider", "speech.member.provider"})
    @Test
    @DisplayName("may have a data policy and options by provider slug")
    void policy() {
      assertThat(
              decode("'provider':{'zdr':true,'data_collection':'deny','options':{'alpha':{'x':1}}}")
                  .preferences())
          .isEqualTo(
              new SpeechPreferences(true, true, (Json.Obj) TestJson.of("{'alpha':{'x':1}}")));
    }

    @Test
    @DisplayName("has no preferences if their members are null")
    void nulls() {
      assertThat(decode("'provider':{'zdr':null,'data_collection':null}").preferences())
          .isEqualTo(SpeechPreferences.NONE);
    }
  }
}
