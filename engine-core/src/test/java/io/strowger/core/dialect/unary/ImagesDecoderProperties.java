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
import io.strowger.spi.model.ImagesRequest;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Label("An images body")
class ImagesDecoderProperties {
  private static final ImagesDecoder DECODER = new ImagesDecoder();
  private static final String REFERENCE = "{'type':'image_url','image_url':{'url':'https://x/y'}}";

  @Provide
  Arbitrary<Json.Obj> bodies() {
    return ObjectArbitrary.object()
        .always("model", text(1, 12))
        .always("prompt", text(1, 40))
        .sometimes("n", oneOf("1", "10", "2.0"))
        .sometimes("size", oneOf("'1024x1024'", "'auto'", "''"))
        .sometimes("resolution", oneOf("'512'", "'1K'", "'4K'"))
        .sometimes("aspect_ratio", oneOf("'1:1'", "'21:9'"))
        .sometimes("quality", oneOf("'auto'", "'high'"))
        .sometimes("background", oneOf("'opaque'", "'transparent'"))
        .sometimes("output_format", oneOf("'png'", "'svg'"))
        .sometimes("output_compression", oneOf("0", "100"))
        .sometimes("input_references", oneOf("[]", "[" + REFERENCE + "]"))
        .sometimes("seed", oneOf("0", "-7"))
        .sometimes("stream", oneOf("false"))
        .sometimes("user", text(0, 300))
        .sometimes("provider", oneOf("null", "{}", "{'order':['a'],'options':{'a':{'b':1}}}"))
        .sometimes("unknown", anything())
        .build();
  }

  @Provide
  Arbitrary<Mutation> mutations() {
    return Arbitraries.of(
        List.of(
            Mutation.without("model"),
            Mutation.without("prompt"),
            Mutation.set("prompt", "''", "must be a string, not empty"),
            Mutation.set("n", "0", "must be a whole number from 1 to 10"),
            Mutation.set("n", "11", "must be a whole number from 1 to 10"),
            Mutation.set("size", "1024", "must be a string"),
            Mutation.set("resolution", "'8K'", "must be one of 512, 1K, 2K, 4K"),
            Mutation.set(
                "aspect_ratio",
                "'7:5'",
                "must be one of 1:1, 2:3, 3:2, 3:4, 4:3, 4:5, 5:4, 9:16, 16:9, 21:9"),
            Mutation.set("quality", "'best'", "must be one of auto, low, medium, high"),
            Mutation.set("background", "'red'", "must be one of auto, transparent, opaque"),
            Mutation.set("output_format", "'gif'", "must be one of png, jpeg, webp, svg"),
            Mutation.set("output_compression", "101", "must be a whole number from 0 to 100"),
            Mutation.set(
                "input_references",
                "[" + (REFERENCE + ",").repeat(16) + REFERENCE + "]",
                "must have at most 16 items"),
            Mutation.set("input_references", "[{'type':'text'}]", "/0/type", "must be image_url"),
            Mutation.set("seed", "1.5", "must be a whole number"),
            Mutation.set("stream", "true", "must be false: the answer comes whole"),
            Mutation.set("stream", "'no'", "must be true or false"),
            Mutation.set("provider", "{'x':1}", "/x", "is not a member of provider"),
            Mutation.set("provider", "{'options':{'a':1}}", "/options/a", "must be an object")));
  }

  @Property
  @Label("that is valid is read")
  void accepted(@ForAll("bodies") Json.Obj generated) {
    Json.Obj body = TestJson.parse(generated);
    var problems = new Problems();
    ImagesRequest request = problems.requireValid(DECODER.decode(body, problems));
    assertThat(request.members()).isSameAs(body);
    assertThat(request.prompt()).isSameAs(body.get("prompt"));
    assertThat(request.count()).isEqualTo((int) body.longValue("n", 1));
    assertThat(request.user()).isEqualTo(body.text("user"));
  }

  @Property(tries = 500)
  @Label("that breaks one rule has exactly one problem, with the pointer of the wrong member")
  void refused(@ForAll("bodies") Json.Obj valid, @ForAll("mutations") Mutation mutation) {
    var problems = new Problems();
    ImagesRequest request = DECODER.decode(TestJson.parse(mutation.of(valid)), problems);
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
