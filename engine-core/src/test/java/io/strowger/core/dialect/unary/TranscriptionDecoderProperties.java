package io.strowger.core.dialect.unary;

import static io.strowger.core.decode.ObjectArbitrary.anything;
import static io.strowger.core.decode.ObjectArbitrary.oneOf;
import static io.strowger.core.decode.ObjectArbitrary.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Mutation;
import io.strowger.core.decode.ObjectArbitrary;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.TestJson;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.TranscriptionRequest;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Label("A transcription body")
class TranscriptionDecoderProperties {
  private static final TranscriptionDecoder DECODER = new TranscriptionDecoder();
  private static final String BASE64 = "must be base64 that is not empty and has no data: prefix";
  private static final String FORMAT =
      "must be a format such as mp3: 1 to 16 lower-case letters and digits";

  @Provide
  Arbitrary<Json.Obj> bodies() {
    return ObjectArbitrary.object()
        .always("model", text(1, 12))
        .always("input_audio", oneOf("{'data':'UklGRg==','format':'wav'}"))
        .sometimes("language", oneOf("'en'", "''"))
        .sometimes("temperature", oneOf("0", "0.5", "-1"))
        .sometimes("response_format", oneOf("'json'", "'verbose_json'"))
        .sometimes("timestamp_granularities", oneOf("[]", "['word','segment']"))
        .sometimes("user", text(0, 300))
        .sometimes("provider", oneOf("null", "{}", "{'options':{'a':{'b':1}}}"))
        .sometimes("unknown", anything())
        .build();
  }

  @Provide
  Arbitrary<Mutation> mutations() {
    return Arbitraries.of(
        List.of(
            Mutation.without("model"),
            Mutation.without("input_audio"),
            Mutation.set("input_audio", "'UklGRg=='", "must be an object"),
            Mutation.set("input_audio", "{'format':'wav'}", "/data", "is required"),
            Mutation.set("input_audio", "{'data':'UklGRg=='}", "/format", "is required"),
            Mutation.set("input_audio", "{'data':'','format':'wav'}", "/data", BASE64),
            Mutation.set("input_audio", "{'data':'a b','format':'wav'}", "/data", BASE64),
            Mutation.set(
                "input_audio",
                "{'data':'data:audio/wav;base64,UklGRg==','format':'wav'}",
                "/data",
                BASE64),
            Mutation.set("input_audio", "{'data':'UklGRg==','format':'../wav'}", "/format", FORMAT),
            Mutation.set("language", "1", "must be a string"),
            Mutation.set("temperature", "'0'", "must be a number"),
            Mutation.set("response_format", "'srt'", "must be one of json, verbose_json"),
            Mutation.set(
                "timestamp_granularities", "['char']", "/0", "must be one of word, segment"),
            Mutation.set("stream", "true", "must be false: the answer comes whole"),
            Mutation.set("provider", "{'x':1}", "/x", "is not a member of provider")));
  }

  @Property
  @Label("that is valid is read, with its recording removed from the members")
  void accepted(@ForAll("bodies") Json.Obj generated) {
    Json.Obj body = TestJson.parse(generated);
    var problems = new Problems();
    TranscriptionRequest request = problems.requireValid(DECODER.decode(body, problems));
    assertThat(request.members()).isEqualTo(body.without("input_audio"));
    assertThat(request.audio().size()).isEqualTo(4);
    assertThat(request.audio().octet(0)).isEqualTo('R');
    assertThat(request.audio().format()).isEqualTo("wav");
    assertThat(request.verbose()).isEqualTo("verbose_json".equals(body.text("response_format")));
  }

  @Property(tries = 500)
  @Label("that breaks one rule has exactly one problem, with the pointer of the wrong member")
  void refused(@ForAll("bodies") Json.Obj valid, @ForAll("mutations") Mutation mutation) {
    var problems = new Problems();
    TranscriptionRequest request = DECODER.decode(TestJson.parse(mutation.of(valid)), problems);
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
