package io.strowger.core.dialect.responses;

import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.core.decode.Mutation;
import io.strowger.core.decode.Problems;
import io.strowger.core.decode.TestJson;
import io.strowger.core.json.JacksonCodec;
import io.strowger.core.json.RandomDocument;
import io.strowger.spi.error.Problem;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.provider.JsonCodec.MalformedJsonException;
import java.util.Objects;
import java.util.Random;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

@Label("A responses body")
class ResponsesDecoderProperties {
  private static final ResponsesDecoder DECODER =
      new ResponsesDecoder((entries, at, problems) -> {});

  @Provide
  Arbitrary<Json.Obj> bodies() {
    return ResponsesBodies.valid();
  }

  @Provide
  Arbitrary<Mutation> mutations() {
    return Arbitraries.of(ResponsesMutations.all());
  }

  @Property
  @Label("that is valid is read, and the typed request agrees with its JSON")
  void accepted(@ForAll("bodies") Json.Obj generated) {
    Json.Obj body = TestJson.parse(generated);
    var problems = new Problems();
    InferenceRequest request = DECODER.decode(body, problems);
    assertThat(problems.list()).isEmpty();
    assertThat(request.members()).isSameAs(body);
    assertThat(request.sessionId()).isEqualTo(body.text("session_id"));
    assertThat(request.user()).isEqualTo(body.text("user"));
    assertThat(request.maxOutputTokens()).isEqualTo((int) body.longValue("max_output_tokens", 0));
    assertThat(request.streaming()).isEqualTo(Json.TRUE.equals(body.get("stream")));
    assertThat(request.instructions() == null).isEqualTo(body.text("instructions") == null);
    Json.Arr tools = body.list("tools");
    assertThat(request.tools()).hasSize(tools == null ? 0 : tools.size());
    Json.Arr items = body.list("input");
    if (items == null) {
      assertThat(request.messages())
          .singleElement()
          .satisfies(m -> assertSource(m, body.get("input")));
    } else {
      assertThat(request.messages()).hasSameSizeAs(items);
      for (int i = 0; i < items.size(); i++) {
        assertSource(request.messages().get(i), items.get(i));
      }
    }
  }

  /**
   * Asserts that the source of a message is the item, and that of its parts too if they are all of
   * the item.
   */
  private static void assertSource(Message message, @Nullable Json item) {
    assertThat(message.source()).isSameAs(item);
    if (message.contentForm() == Message.ContentForm.ABSENT) {
      assertThat(message.parts()).isNotEmpty().allMatch(part -> part.source() == item);
    } else {
      Json content = item instanceof Json.Obj object ? object.get("content") : item;
      int parts = content instanceof Json.Arr list ? list.size() : 1;
      assertThat(message.parts()).hasSize(parts);
    }
  }

  @Property(tries = 2000)
  @Label("that breaks one rule has exactly one problem, with the pointer of the wrong member")
  void refused(@ForAll("bodies") Json.Obj valid, @ForAll("mutations") Mutation mutation) {
    var problems = new Problems();
    DECODER.decode(TestJson.parse(mutation.of(valid)), problems);
    assertThat(problems.list())
        .singleElement()
        .satisfies(
            (Problem problem) -> {
              assertThat(problem.pointer()).hasToString(mutation.at());
              assertThat(problem.allowed()).isEqualTo(mutation.allowed());
            });
  }

  @Property
  @Label("with one value replaced by random JSON is read or refused, and never breaks the decoder")
  void neverBreaks(@ForAll("bodies") Json.Obj valid, @ForAll Random random)
      throws MalformedJsonException {
    var document = new RandomDocument(random);
    document.document();
    Json replacement = new JacksonCodec().parse(document.bytes());
    Json.Obj body = (Json.Obj) replacedSomewhere(TestJson.parse(valid), replacement, random);
    var problems = new Problems(5);
    InferenceRequest request = DECODER.decode(body, problems);
    assertThat(request.members()).isSameAs(body);
    assertThat(problems.list()).hasSizeLessThanOrEqualTo(6);
    for (Problem problem : problems.list()) {
      assertThat(problem.allowed()).isNotEmpty();
    }
  }

  /** Returns the JSON with one value, at any depth, replaced. */
  private static Json replacedSomewhere(Json json, Json replacement, Random random) {
    if (json instanceof Json.Obj object && object.size() > 0) {
      int at = random.nextInt(object.size());
      return object.with(
          object.name(at), replacedHereOrDeeper(object.value(at), replacement, random));
    }
    if (json instanceof Json.Arr items && !items.isEmpty()) {
      int at = random.nextInt(items.size());
      return items.with(
          at, replacedHereOrDeeper(Objects.requireNonNull(items.get(at)), replacement, random));
    }
    return replacement;
  }

  private static Json replacedHereOrDeeper(Json json, Json replacement, Random random) {
    boolean leaf = !(json instanceof Json.Obj || json instanceof Json.Arr);
    return leaf || random.nextInt(3) == 0
        ? replacement
        : replacedSomewhere(json, replacement, random);
  }
}
