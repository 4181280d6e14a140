package io.strowger.core.dialect.unary;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Mutation;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.TestJson;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.EmbeddingsInput;
import io.strowger.spi.model.EmbeddingsRequest;
import io.strowger.spi.model.EmbeddingsRequest.Encoding;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.tck.conformance.Proves;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

@DisplayName("An embeddings body")
class EmbeddingsDecoderTest {
  private static final EmbeddingsDecoder DECODER = new EmbeddingsDecoder();

  private static Json.Obj body(String input) {
    return (Json.Obj) TestJson.of("{'model':'embed','input':" + input + "}");
  }

  private static Json.Obj with(String member, String json) {
    return body("'a'").with(member, TestJson.of(json));
  }

  private static EmbeddingsRequest decode(Json.Obj body) {
    var problems = new Problems();
    return problems.requireValid(DECODER.decode(body, problems));
  }

  private static List<String> problems(Json.Obj body) {
    var problems = new Problems();
    assertThat(DECODER.decode(body, problems) == null).isEqualTo(!problems.isEmpty());
    return problems.list().stream().map(Problem::toString).toList();
  }

  @Proves("unary.embeddings.input")
  @TestFactory
  @DisplayName("is refused when it breaks one rule:")
  Stream<DynamicTest> mutations() {
    return EmbeddingsBodies.mutations().stream()
        .map(
            (Mutation mutation) ->
                DynamicTest.dynamicTest(
                    mutation.at() + " " + mutation.allowed() + " " + mutation.value(),
                    () ->
                        assertThat(problems(mutation.of(body("'a'"))))
                            .singleElement()
                            .asString()
                            .startsWith(mutation.at() + ": " + mutation.allowed())));
  }

  @Nested
  @DisplayName("may have as its input")
  class Input {
    private EmbeddingsInput of(String json) {
      return decode(body(json)).input();
    }

    @Proves("unary.embeddings.input")
    @Test
    @DisplayName("a string")
    void text() {
      assertThat(of("'a'")).isEqualTo(new EmbeddingsInput.Text(Json.of("a")));
      assertThat(of("'a'").count()).isEqualTo(1);
    }

    @Test
    @DisplayName("an array of strings")
    void texts() {
      assertThat(of("['a','b']")).isInstanceOf(EmbeddingsInput.Texts.class);
      assertThat(of("['a','b']").count()).isEqualTo(2);
    }

    @Test
    @DisplayName("an array of numbers, which is one text")
    void tokens() {
      assertThat(of("[1,2,3]")).isInstanceOf(EmbeddingsInput.Tokens.class);
      assertThat(of("[1,2,3]").count()).isEqualTo(1);
    }

    @Test
    @DisplayName("an array of arrays of numbers, which may be empty")
    void tokenLists() {
      assertThat(of("[[1],[],[2,3]]")).isInstanceOf(EmbeddingsInput.TokenLists.class);
      assertThat(of("[[1],[],[2,3]]").count()).isEqualTo(3);
      assertThat(of("[[]]").count()).isEqualTo(1);
    }

    @Test
    @DisplayName("an array of objects with content")
    void contents() {
      String item = "{'content':[{'type':'text','text':'a'},{'type':'file'}]}";
      assertThat(of("[" + item + "," + item + "]")).isInstanceOf(EmbeddingsInput.Contents.class);
      assertThat(of("[" + item + "," + item + "]").count()).isEqualTo(2);
    }

    @Proves("unary.embeddings.input")
    @Test
    @DisplayName("no empty array")
    void empty() {
      assertThat(problems(body("[]")))
          .containsExactly("/input: must have at least 1 item, was an array of 0");
    }

    @Proves("unary.embeddings.input")
    @Test
    @DisplayName("no mixture: each item of another form than the first is reported")
    void mixed() {
      assertThat(problems(body("['a',2,'',true]")))
          .containsExactly(
              "/input/1: must be a string, as the first item is, was 2",
              "/input/2: must be a string, not empty, was \"\"",
              "/input/3: must be a string, as the first item is, was true");
    }
  }

  @Nested
  @DisplayName("in its other members")
  class OtherMembers {
    @Test
    @DisplayName("needs none of them")
    void absent() {
      EmbeddingsRequest request = decode(body("'a'"));
      assertThat(request.encoding()).isNull();
      assertThat(request.dimensions()).isZero();
      assertThat(request.inputType()).isNull();
      assertThat(request.user()).isNull();
      assertThat(request.preferences()).isEqualTo(ProviderPreferences.NONE);
    }

    @Proves("unary.embeddings.encoding")
    @Test
    @DisplayName("has float or base64 as the encoding_format")
    void encoding() {
      assertThat(decode(with("encoding_format", "'float'")).encoding()).isEqualTo(Encoding.FLOAT);
      assertThat(decode(with("encoding_format", "'base64'")).encoding()).isEqualTo(Encoding.BASE64);
    }

    @Proves("unary.embeddings.encoding")
    @Test
    @DisplayName("has dimensions of at least 1")
    void dimensions() {
      assertThat(problems(with("dimensions", "0")))
          .containsExactly("/dimensions: must be a whole number of at least 1, was 0");
      assertThat(decode(with("dimensions", "1")).dimensions()).isEqualTo(1);
      assertThat(decode(with("dimensions", "2")).dimensions()).isEqualTo(2);
    }

    @Test
    @DisplayName("has the provider preferences of a chat request, where null means none")
    void provider() {
      assertThat(decode(with("provider", "{'order':['a']}")).preferences().order())
          .containsExactly("a");
      assertThat(decode(with("provider", "null")).preferences())
          .isEqualTo(ProviderPreferences.NONE);
    }
  }
}
