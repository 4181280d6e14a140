package io.strowger.core.dialect.unary;

import static io.strowger.core.decode.ObjectArbitrary.anything;
import static io.strowger.core.decode.ObjectArbitrary.list;
import static io.strowger.core.decode.ObjectArbitrary.oneOf;
import static io.strowger.core.decode.ObjectArbitrary.text;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Mutation;
import io.strowger.core.decode.ObjectArbitrary;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.TestJson;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.RerankRequest;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Label("A rerank body")
class RerankDecoderProperties {
  private static final RerankDecoder DECODER = new RerankDecoder();
  private static final String KINDS = "must be a string or an object of text and image";

  @Provide
  Arbitrary<Json.Obj> bodies() {
    Arbitrary<Json> document =
        Arbitraries.oneOf(
            text(0, 20),
            oneOf(
                "{'text':'a'}",
                "{'image':'https://x/y.png'}",
                "{'text':'','image':{'url':'data:,'},'more':1}"));
    return ObjectArbitrary.object()
        .always("model", text(1, 12))
        .always("query", text(0, 20))
        .always("documents", list(document, 1, 5))
        .sometimes("top_n", oneOf("1", "3", "1e3"))
        .sometimes("user", text(0, 300))
        .sometimes("provider", oneOf("null", "{}", "{'only':['a'],'zdr':true}"))
        .sometimes("unknown", anything())
        .build();
  }

  @Provide
  Arbitrary<Mutation> mutations() {
    return Arbitraries.of(
        List.of(
            Mutation.without("model"),
            Mutation.without("query"),
            Mutation.without("documents"),
            Mutation.set("model", "''", "must be a string, not empty"),
            Mutation.set("query", "7", "must be a string"),
            Mutation.set("documents", "[]", "must have at least 1 item"),
            Mutation.set("documents", "'a'", "must be an array"),
            Mutation.set("documents", "['a',1]", "/1", KINDS),
            Mutation.set("documents", "[null]", "/0", KINDS),
            Mutation.set("documents", "['a',{}]", "/1", "must have a text or an image"),
            Mutation.set("documents", "[{'text':1}]", "/0/text", "must be a string"),
            Mutation.set("documents", "[{'image':1}]", "/0/image", "must be a string or an object"),
            Mutation.set("top_n", "0", "must be a whole number of at least 1"),
            Mutation.set("top_n", "1.5", "must be a whole number of at least 1"),
            Mutation.set("user", "1", "must be a string"),
            Mutation.set("provider", "{'x':1}", "/x", "is not a member of provider")));
  }

  @Property
  @Label("that is valid is read, with its documents in their order")
  void accepted(@ForAll("bodies") Json.Obj generated) {
    Json.Obj body = TestJson.parse(generated);
    var problems = new Problems();
    RerankRequest request = problems.requireValid(DECODER.decode(body, problems));
    assertThat(request.members()).isSameAs(body);
    assertThat(request.query()).isSameAs(body.get("query"));
    Json.Arr documents = Objects.requireNonNull(body.list("documents"));
    assertThat(request.documents()).hasSize(documents.size());
    for (int i = 0; i < documents.size(); i++) {
      Json document = documents.get(i);
      Json.Str text = request.documents().get(i).text();
      assertThat(text)
          .isEqualTo(document instanceof Json.Obj object ? object.get("text") : document);
    }
    assertThat(request.results()).isBetween(1, documents.size());
  }

  @Property(tries = 500)
  @Label("that breaks one rule has exactly one problem, with the pointer of the wrong member")
  void refused(@ForAll("bodies") Json.Obj valid, @ForAll("mutations") Mutation mutation) {
    var problems = new Problems();
    RerankRequest request = DECODER.decode(TestJson.parse(mutation.of(valid)), problems);
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
