package io.strowger.core.dialect.unary;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Mutation;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.TestJson;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.EmbeddingsInput;
import io.strowger.spi.model.EmbeddingsRequest;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

@Label("An embeddings body")
class EmbeddingsDecoderProperties {
  private static final EmbeddingsDecoder DECODER = new EmbeddingsDecoder();

  @Provide
  Arbitrary<Json.Obj> bodies() {
    return EmbeddingsBodies.valid();
  }

  @Provide
  Arbitrary<Mutation> mutations() {
    return Arbitraries.of(EmbeddingsBodies.mutations());
  }

  @Property
  @Label("that is valid is read, and its input is the same JSON value")
  void accepted(@ForAll("bodies") Json.Obj generated) {
    Json.Obj body = TestJson.parse(generated);
    var problems = new Problems();
    EmbeddingsRequest request = problems.requireValid(DECODER.decode(body, problems));
    assertThat(request.members()).isSameAs(body);
    assertThat(request.model()).hasToString(body.text("model"));
    assertThat(jsonOf(request.input())).isSameAs(body.get("input"));
    assertThat(request.dimensions()).isEqualTo(body.longValue("dimensions", 0));
    assertThat(request.inputType()).isEqualTo(body.text("input_type"));
    assertThat(request.user()).isEqualTo(body.text("user"));
    assertThat(request.encoding() == null).isEqualTo(!body.has("encoding_format"));
  }

  private static Json jsonOf(EmbeddingsInput input) {
    return switch (input) {
      case EmbeddingsInput.Text(var text) -> text;
      case EmbeddingsInput.Texts(var texts) -> texts;
      case EmbeddingsInput.Tokens(var ids) -> ids;
      case EmbeddingsInput.TokenLists(var lists) -> lists;
      case EmbeddingsInput.Contents(var items) -> items;
    };
  }

  @Property(tries = 500)
  @Label("that breaks one rule has exactly one problem, with the pointer of the wrong member")
  void refused(@ForAll("bodies") Json.Obj valid, @ForAll("mutations") Mutation mutation) {
    var problems = new Problems();
    EmbeddingsRequest request = DECODER.decode(TestJson.parse(mutation.of(valid)), problems);
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
