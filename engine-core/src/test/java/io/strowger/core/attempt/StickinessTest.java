package io.strowger.core.attempt;

import static io.strowger.tck.Given.endpoint;
import static io.strowger.tck.Given.perMillion;
import static io.strowger.tck.Given.provider;
import static io.strowger.tck.Given.request;
import static io.strowger.tck.Given.usage;
import static org.assertj.core.api.Assertions.assertThat;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Price;
import io.strowger.spi.catalog.Pricing;
import io.strowger.spi.catalog.UnitPrice;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.Dialect;
import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.model.Message;
import io.strowger.spi.model.Usage;
import io.strowger.spi.routing.ModelRef;
import io.strowger.spi.routing.ProviderPreferences;
import io.strowger.tck.TestAmbient;
import io.strowger.tck.conformance.Proves;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@DisplayName("The memory of who served a conversation")
class StickinessTest {
  private static final String MODEL = "acme/large";
  private static final ModelRef REF = ModelRef.parse(MODEL);
  private static final Usage PLAIN = usage(10, 1);
  private static final Usage CACHED = Usage.builder().freshInput(1).cacheRead(9).build();
  private static final Usage WRITTEN = Usage.builder().freshInput(1).cacheWrite5m(9).build();
  private static final Usage WRITTEN_LONG = Usage.builder().freshInput(1).cacheWrite1h(9).build();
  private static final Endpoint CHEAP_CACHE = caching("gamma", 99_999);

  private final TestAmbient ambient = TestAmbient.at("2026-11-21T12:00:00Z");
  private final Stickiness memory = new Stickiness(ambient);

  /** A prompt token costs 100,000 picodollars. */
  private static Endpoint caching(String provider, long cacheReadPicos) {
    Pricing plain = perMillion("0.1", "0.1");
    return Endpoint.builder(MODEL, provider(provider))
        .pricing(
            Pricing.builder()
                .set(Price.PROMPT, plain.price(Price.PROMPT))
                .set(Price.COMPLETION, plain.price(Price.COMPLETION))
                .set(Price.INPUT_CACHE_READ, new UnitPrice(cacheReadPicos))
                .build())
        .build();
  }

  private static InferenceRequest said(@Nullable String session, String... words) {
    return InferenceRequest.builder(Dialect.CHAT, Json.Obj.EMPTY)
        .messages(
            Stream.of(words)
                .map(
                    text ->
                        text.startsWith("system ")
                            ? Message.text(Message.Role.SYSTEM, text)
                            : Message.text(Message.Role.USER, text))
                .toList())
        .sessionId(session)
        .build();
  }

  private static InferenceRequest cacheKey(InferenceRequest request, String key) {
    return request.toBuilder().member("prompt_cache_key", Json.of(key)).build();
  }

  private void served(InferenceRequest request, Endpoint by, Usage usage) {
    memory.conversation("me", request).recordSuccess(REF, by, usage);
  }

  private List<String> remembered(InferenceRequest request) {
    return memory.conversation("me", request).endpoints(List.of(REF));
  }

  @Nested
  @DisplayName("of a conversation named by a session")
  class Named {
    @Proves({"routing.sticky.when", "routing.sticky.ST-1"})
    @Test
    @DisplayName("is kept after any success (ST-1)")
    void anySuccess() {
      served(said("s", "one"), CHEAP_CACHE, PLAIN);
      assertThat(remembered(said("s", "two"))).containsExactly("acme/large@gamma");
      assertThat(remembered(said("t", "one"))).isEmpty();
    }

    @Proves({"routing.sticky.ttl", "routing.sticky.ST-3", "open.4"})
    @Test
    @DisplayName("ends ten minutes after the last success, not before (ST-3)")
    void ends() {
      served(said("s", "one"), CHEAP_CACHE, PLAIN);
      ambient.advance(Duration.ofMinutes(10).minusNanos(1));
      assertThat(remembered(said("s", "x"))).hasSize(1);
      ambient.advance(Duration.ofNanos(1));
      assertThat(remembered(said("s", "x"))).isEmpty();
    }

    @Proves("routing.sticky.ttl")
    @Test
    @DisplayName("is renewed by a success, not by being asked for")
    void renewed() {
      served(said("s", "one"), CHEAP_CACHE, PLAIN);
      ambient.advance(Duration.ofMinutes(9));
      served(said("s", "two"), CHEAP_CACHE, PLAIN);
      ambient.advance(Duration.ofMinutes(9));
      assertThat(remembered(said("s", "x"))).hasSize(1);
      ambient.advance(Duration.ofMinutes(1));
      assertThat(remembered(said("s", "x"))).isEmpty();
    }

    @Proves("routing.sticky.value")
    @Test
    @DisplayName("follows the conversation to whoever serves it next")
    void follows() {
      served(said("s", "one"), CHEAP_CACHE, PLAIN);
      served(said("s", "two"), caching("alpha", 0), PLAIN);
      assertThat(remembered(said("s", "x"))).containsExactly("acme/large@alpha");
    }

    @Test
    @DisplayName("does not mix it with a cache key or words of the same text")
    void kinds() {
      served(said("s", "one"), CHEAP_CACHE, CACHED);
      assertThat(remembered(cacheKey(said(null, "one"), "s"))).isEmpty();
      assertThat(remembered(said(null, "s"))).isEmpty();
    }

    @Proves("routing.sticky.key")
    @Test
    @DisplayName("wins over its cache key and its words")
    void wins() {
      served(cacheKey(said("s", "one"), "k"), CHEAP_CACHE, CACHED);
      assertThat(remembered(cacheKey(said(null, "one"), "k"))).isEmpty();
      assertThat(remembered(cacheKey(said("s", "two"), "l"))).hasSize(1);
    }
  }

  @Nested
  @DisplayName("of a conversation that names no session")
  class Recognised {
    @Proves({"routing.sticky.when", "routing.sticky.ST-2", "open.6"})
    @Test
    @DisplayName("is not kept as long as no prompt cache was used (ST-2)")
    void noCache() {
      served(said(null, "one"), CHEAP_CACHE, PLAIN);
      served(cacheKey(said(null, "one"), "k"), CHEAP_CACHE, PLAIN);
      assertThat(remembered(said(null, "one", "two"))).isEmpty();
      assertThat(remembered(cacheKey(said(null, "one"), "k"))).isEmpty();
    }

    @Proves({"routing.sticky.when", "open.6"})
    @Test
    @DisplayName("is kept once tokens were read from a cache or written to one")
    void cache() {
      List<Usage> usages = List.of(CACHED, WRITTEN, WRITTEN_LONG);
      for (int i = 0; i < usages.size(); i++) {
        InferenceRequest first = said(null, "conversation " + i);
        assertThat(remembered(first)).isEmpty();
        served(first, CHEAP_CACHE, usages.get(i));
        assertThat(remembered(first)).as("%s", i).hasSize(1);
      }
    }

    @Test
    @DisplayName("is renewed by a success of the same endpoint, and not moved by one of another")
    void renewed() {
      served(said(null, "one"), CHEAP_CACHE, CACHED);
      ambient.advance(Duration.ofMinutes(9));
      served(said(null, "one", "two"), CHEAP_CACHE, PLAIN);
      served(said(null, "one", "two"), caching("alpha", 0), PLAIN);
      ambient.advance(Duration.ofMinutes(9));
      assertThat(remembered(said(null, "one"))).containsExactly("acme/large@gamma");
    }

    @Proves({"routing.sticky.key", "open.5"})
    @Test
    @DisplayName("goes by the first system message and the first other one")
    void words() {
      served(said(null, "system a", "one", "system b", "two"), CHEAP_CACHE, CACHED);
      assertThat(remembered(said(null, "system a", "one"))).hasSize(1);
      assertThat(remembered(said(null, "one", "system a", "three"))).hasSize(1);
      assertThat(remembered(said(null, "system b", "one"))).isEmpty();
      assertThat(remembered(said(null, "system a", "two"))).isEmpty();
      assertThat(remembered(said(null, "one"))).isEmpty();
      assertThat(remembered(said(null, "system a"))).isEmpty();
    }

    @Proves("routing.sticky.key")
    @Test
    @DisplayName("goes by its cache key before its words")
    void cacheKeyFirst() {
      served(cacheKey(said(null, "one"), "k"), CHEAP_CACHE, CACHED);
      assertThat(remembered(cacheKey(said(null, "two"), "k"))).hasSize(1);
      assertThat(remembered(cacheKey(said(null, "one"), "l"))).isEmpty();
      assertThat(remembered(said(null, "one"))).isEmpty();
    }
  }

  @Proves("routing.sticky.ST-5")
  @Test
  @DisplayName("is not used when the request says itself who comes first (ST-5)")
  void order() {
    served(said("s", "one"), CHEAP_CACHE, PLAIN);
    InferenceRequest ordered =
        said("s", "two").toBuilder()
            .preferences(ProviderPreferences.builder().order(List.of("alpha")).build())
            .build();
    assertThat(remembered(ordered)).isEmpty();
  }

  @Proves("routing.sticky.when")
  @Test
  @DisplayName("takes in only endpoints whose cached tokens cost less")
  void cheaperOnly() {
    served(said("s", "one"), caching("beta", 100_000), CACHED);
    served(said("s", "one"), endpoint("alpha", MODEL, "0.1"), CACHED);
    assertThat(remembered(said("s", "two"))).isEmpty();
    served(said("s", "one"), caching("beta", 99_999), CACHED);
    assertThat(remembered(said("s", "two"))).hasSize(1);
  }

  @Proves("routing.sticky.chat-only")
  @ParameterizedTest
  @EnumSource(value = Endpoint.Kind.class, mode = EnumSource.Mode.EXCLUDE, names = "CHAT")
  @DisplayName("is for chat only")
  void chatOnly(Endpoint.Kind kind) {
    served(said("s", "one"), CHEAP_CACHE.toBuilder().kind(kind).build(), CACHED);
    assertThat(remembered(said("s", "two"))).isEmpty();
  }

  @Test
  @DisplayName("is of one owner and one requested model, in any case")
  void perOwnerAndModel() {
    served(said("s", "one"), CHEAP_CACHE, PLAIN);
    InferenceRequest next = said("s", "two");
    assertThat(memory.conversation("you", next).endpoints(List.of(REF))).isEmpty();
    assertThat(memory.conversation("me", next).endpoints(List.of(ModelRef.parse("acme/small"))))
        .isEmpty();
    assertThat(
            memory
                .conversation("me", next)
                .endpoints(List.of(ModelRef.parse("acme/small"), ModelRef.parse("ACME/Large"))))
        .containsExactly("acme/large@gamma");
  }

  @Test
  @DisplayName("tells requests of one text apart from those that quote it")
  void quoted() {
    served(request(MODEL, "one"), CHEAP_CACHE, CACHED);
    assertThat(remembered(request(MODEL, "one"))).hasSize(1);
    assertThat(remembered(request(MODEL, "one "))).isEmpty();
  }
}
