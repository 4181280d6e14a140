package io.strowger.core.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.strowger.core.record.GenerationRow.AttemptCost;
import io.strowger.core.record.GenerationRow.Counts;
import io.strowger.core.record.GenerationRow.Ending;
import io.strowger.core.record.GenerationRow.Finish;
import io.strowger.core.record.GenerationRow.Identity;
import io.strowger.core.record.GenerationRow.Money;
import io.strowger.core.record.GenerationRow.Response;
import io.strowger.core.record.GenerationRow.Route;
import io.strowger.core.record.GenerationRow.Sender;
import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.json.Json;
import io.strowger.spi.model.RequestOrigin;
import io.strowger.spi.store.GenerationStore.Generation;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Example;
import net.jqwik.api.ForAll;
import net.jqwik.api.Label;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

@Label("The row of a generation")
class GenerationRowProperties {
  private static final Instant RECEIVED_AT = Instant.parse("2026-11-21T12:00:00.123456Z");

  private static final String EARLIER_ROW =
      "0105010675702d31000003770a61636d652f6f6e650007416c70686100000101011061"
          + "636d652f6f6e6540616c706861010100c8019c030673746f70a503d1280c0300000000"
          + "0000e0fb73e0fb730000000000000375";

  /** Returns texts that include single surrogates, since a caller can write them in JSON. */
  private static Arbitrary<String> texts() {
    return Arbitraries.oneOf(
        Arbitraries.of("", "up-1", "acme/one", "Alpha", "priority"),
        Arbitraries.strings().ascii().ofMaxLength(300),
        Arbitraries.strings().all().ofMaxLength(40),
        Arbitraries.strings().withCharRange('\ud7f0', '\ue010').ofMaxLength(6));
  }

  private static Arbitrary<@Nullable String> nullableTexts() {
    return texts().injectNull(0.3);
  }

  private static Arbitrary<Long> counts() {
    return Arbitraries.longs().between(0, Long.MAX_VALUE);
  }

  private static Arbitrary<Long> countsOrMinusOne() {
    return Arbitraries.longs().between(-1, Long.MAX_VALUE - 1);
  }

  private static Arbitrary<Boolean> flags() {
    return Arbitraries.of(true, false);
  }

  private static Arbitrary<Usd> amounts() {
    return Arbitraries.longs().map(Usd::new);
  }

  private static Arbitrary<Response> responses() {
    Arbitrary<@Nullable AttemptCost> paid =
        Combinators.combine(amounts(), nullableTexts()).as(AttemptCost::new).injectNull(0.3);
    Arbitrary<Response> unpaid =
        Combinators.combine(
                nullableTexts(),
                texts(),
                nullableTexts(),
                nullableTexts(),
                Arbitraries.integers(),
                counts(),
                flags(),
                nullableTexts())
            .as(
                (id, endpoint, provider, model, status, millis, usedByokKey, tier) ->
                    new Response(
                        id, endpoint, provider, model, status, millis, usedByokKey, tier, null));
    return Combinators.combine(unpaid, paid).as(GenerationRowProperties::with);
  }

  private static Response with(Response one, @Nullable AttemptCost paid) {
    return new Response(
        one.id(),
        one.endpoint(),
        one.provider(),
        one.model(),
        one.status(),
        one.latencyMillis(),
        one.usedByokKey(),
        one.serviceTier(),
        paid);
  }

  @Provide
  Arbitrary<GenerationRow> rows() {
    Arbitrary<Identity> identities =
        Combinators.combine(nullableTexts(), nullableTexts(), nullableTexts(), texts())
            .as(Identity::new);
    Arbitrary<Route> routes =
        Combinators.combine(
                nullableTexts(),
                nullableTexts(),
                nullableTexts(),
                nullableTexts(),
                nullableTexts(),
                responses().list().ofMaxSize(11))
            .as(Route::new);
    Arbitrary<Ending> endings =
        Combinators.combine(
                flags(),
                flags(),
                Arbitraries.of(Finish.class).injectNull(0.2),
                nullableTexts(),
                flags(),
                countsOrMinusOne(),
                countsOrMinusOne(),
                Arbitraries.of(Endpoint.Kind.class))
            .as(Ending::new);
    Arbitrary<Counts> counted =
        Combinators.combine(
                counts(),
                counts(),
                counts(),
                counts(),
                counts(),
                counts(),
                counts(),
                countsOrMinusOne())
            .as(Counts::new);
    Arbitrary<Money> paid =
        Combinators.combine(amounts(), amounts(), amounts().injectNull(0.5), nullableTexts())
            .as(Money::new);
    Arbitrary<RequestOrigin> origins =
        Combinators.combine(
                nullableTexts(), nullableTexts(), texts().list().ofMaxSize(2), nullableTexts())
            .as(
                (referer, title, all, agent) ->
                    new RequestOrigin(referer, title, all, agent, null));
    Arbitrary<Sender> senders = Combinators.combine(origins, nullableTexts()).as(Sender::new);
    return Combinators.combine(identities, routes, endings, counted, paid, senders)
        .as(GenerationRowProperties::row);
  }

  /** Returns a row whose identity and origin have the same preset. */
  private static GenerationRow row(
      Identity identity, Route route, Ending ending, Counts counts, Money money, Sender sender) {
    RequestOrigin from = sender.origin();
    var origin =
        new RequestOrigin(
            from.referer(), from.title(), from.categories(), from.userAgent(), identity.preset());
    return new GenerationRow(
        identity, route, ending, counts, money, new Sender(origin, sender.user()));
  }

  private static Generation generation(byte[] row) {
    return new Generation("gen-1", "account:default", RECEIVED_AT, row, null);
  }

  @Property
  @Label("is read with the values it was written with")
  void roundTrip(@ForAll("rows") GenerationRow row) {
    assertThat(GenerationRow.of(row.bytes())).isEqualTo(row);
    assertThat(GenerationView.workspace(generation(row.bytes())))
        .isEqualTo(row.identity().workspace());
  }

  @Property
  @Label("of the earlier format can be read, and has no cost for each attempt")
  void earlier(@ForAll("rows") GenerationRow row) {
    Route route = row.route();
    var earlierRow =
        new GenerationRow(
            row.identity(),
            new Route(
                route.model(),
                route.router(),
                route.provider(),
                route.region(),
                route.serviceTier(),
                route.responses().stream().map(one -> with(one, null)).toList()),
            row.ending(),
            row.counts(),
            row.money(),
            row.sender());
    byte[] bytes = earlierRow.bytes(); // later members are written only when their flag is set
    bytes[0] = GenerationRow.EARLIER_FORMAT;
    assertThat(GenerationRow.of(bytes)).isEqualTo(earlierRow);
  }

  @Example
  @Label("that an earlier version wrote is shown as that version showed it")
  void rowOfEarlierVersion() {
    byte[] row = HexFormat.of().parseHex(EARLIER_ROW);
    Json.Obj shown = GenerationView.of(generation(row));
    assertThat(text(shown))
        .contains(
            "'provider_responses':[{'id':'up-1','endpoint_id':'acme/one@alpha',".replace('\'', '"')
                + "'provider_name':'Alpha','model_permaslug':'acme/one','status':200,'latency':412,"
                    .replace('\'', '"')
                + "'is_byok':true,'routed_service_tier':null}]".replace('\'', '"'));
    assertThat(shown.text("external_user")).isEqualTo("u");
    assertThat(text(shown)).contains("\"total_cost\":0.0019");
  }

  @Property
  @Label(
      "is shown as by earlier versions, which stored the JSON, and with the cost of each attempt")
  void shown(@ForAll("rows") GenerationRow row) {
    assertThat(text(GenerationView.of(generation(row.bytes())))).isEqualTo(text(earlierJson(row)));
  }

  private static String text(Json.Obj json) {
    return new String(json.toBytes(), StandardCharsets.UTF_8);
  }

  @Property(tries = 100)
  @Label("that is too short or too long is refused, never misread")
  void cut(@ForAll("rows") GenerationRow row) {
    byte[] whole = row.bytes();
    for (int length = 0; length < whole.length; length++) {
      byte[] part = Arrays.copyOf(whole, length);
      assertThatThrownBy(() -> GenerationRow.of(part)).isInstanceOf(UnreadableRowException.class);
    }
    assertThatThrownBy(() -> GenerationRow.of(Arrays.copyOf(whole, whole.length + 1)))
        .isInstanceOf(UnreadableRowException.class);
  }

  @Property(tries = 500)
  @Label("with changed bytes is refused or read as another row, without any other exception")
  void hostile(
      @ForAll("rows") GenerationRow row, @ForAll List<Integer> places, @ForAll List<Byte> instead) {
    byte[] bytes = row.bytes();
    for (int i = 0; i < Math.min(places.size(), instead.size()); i++) {
      bytes[Math.floorMod(places.get(i), bytes.length)] = instead.get(i);
    }
    assertReadableOrRefused(bytes);
  }

  @Property(tries = 2000)
  @Label("of arbitrary bytes is refused or read, without any other exception")
  void anything(@ForAll byte[] bytes) {
    assertReadableOrRefused(bytes);
    byte[] row = Arrays.copyOf(new byte[] {2}, bytes.length + 1);
    System.arraycopy(bytes, 0, row, 1, bytes.length);
    assertReadableOrRefused(row);
  }

  private static void assertReadableOrRefused(byte[] bytes) {
    try {
      assertThat(GenerationView.of(generation(bytes)).toBytes()).isNotEmpty();
    } catch (UnreadableRowException refused) {
      // an earlier format was JSON
      assertThat(refused.getMessage()).matches("(?s)the (row is|stored JSON is damaged:) .*");
    }
  }

  @Example
  @Label("of a later format is refused with the number of the format")
  void later() {
    assertThatThrownBy(() -> GenerationRow.of(new byte[] {3, 1, 1}))
        .hasMessage("the row is of format 3, and this version reads up to 2");
  }

  @Example
  @Label("of a plain request has less than 250 bytes")
  void small() {
    var row =
        new GenerationRow(
            new Identity(
                "chatcmpl-9f8b7c6d5e4f3a2b1c0d",
                null,
                null,
                "00000000-0000-4000-8000-000000000001"),
            new Route(
                "acme/large",
                null,
                "Alpha",
                null,
                null,
                List.of(
                    new Response(
                        "chatcmpl-9f8b7c6d5e4f3a2b1c0d",
                        "acme/large@alpha/fp16",
                        "Alpha",
                        "acme/large",
                        200,
                        412,
                        false,
                        null,
                        new AttemptCost(new Usd(1_900_000), null)))),
            new Ending(true, false, Finish.STOP, "stop", false, 420, 5_200, Endpoint.Kind.CHAT),
            new Counts(1_200, 350, 0, 0, 0, 0, 0, -1),
            new Money(new Usd(1_900_000), new Usd(1_900_000), null, null),
            new Sender(
                new RequestOrigin(
                    "https://app.example/chat", "My app", List.of(), "okhttp/5.1.0", null),
                "user-1234"));
    assertThat(row.bytes()).hasSizeLessThan(250);
  }

  /** Returns the JSON that earlier versions made for every request. */
  private static Json.Obj earlierJson(GenerationRow row) {
    Ending ending = row.ending();
    Route route = row.route();
    Counts counts = row.counts();
    Money money = row.money();
    RequestOrigin origin = row.sender().origin();
    Usd discount = money.cacheDiscount();
    return Json.object()
        .put("id", "gen-1")
        .put("request_id", "gen-1")
        .putOrNull("upstream_id", row.identity().upstream())
        .putOrNull("session_id", row.identity().session())
        .putOrNull("preset_id", row.identity().preset())
        .put("workspace_id", row.identity().workspace())
        .put("app_id", Json.NULL)
        .putOrNull("model", route.model())
        .putOrNull("router", route.router())
        .putOrNull("provider_name", route.provider())
        .put(
            "provider_responses",
            Json.array(
                route.responses().stream().<Json>map(GenerationRowProperties::attempt).toList()))
        .put("created_at", "2026-11-21T12:00:00.123456Z")
        .put("streamed", ending.streamed())
        .put("cancelled", ending.cancelled())
        .putOrNull(
            "finish_reason",
            switch (ending.finish()) {
              case null -> null;
              case STOP -> "stop";
              case LENGTH -> "length";
              case TOOL_CALLS -> "tool_calls";
              case CONTENT_FILTER -> "content_filter";
              case ERROR -> "error";
            })
        .putOrNull("native_finish_reason", ending.nativeFinish())
        .put(
            "api_type",
            switch (row.ending().kind()) {
              case CHAT -> "completions"; // the only kind in earlier versions
              case SPEECH -> "tts";
              case EMBEDDINGS -> "embeddings";
              case RERANK -> "rerank";
              case IMAGES -> "image";
              case TRANSCRIPTIONS -> "stt";
            })
        .put("data_region", route.region() == null ? "global" : route.region())
        .putOrNull("service_tier", route.serviceTier())
        .put("is_byok", ending.usedByokKey())
        .put("latency", orNull(ending.latencyMillis()))
        .put("moderation_latency", Json.NULL)
        .put("generation_time", orNull(ending.generationMillis()))
        .put("tokens_prompt", counts.prompt())
        .put("tokens_completion", counts.completion())
        .put("native_tokens_prompt", counts.prompt())
        .put("native_tokens_completion", counts.completion())
        .put("native_tokens_reasoning", counts.reasoning())
        .put("native_tokens_cached", counts.cacheRead())
        .put("native_tokens_completion_images", Json.NULL)
        .put("num_media_prompt", counts.media())
        .put("num_media_completion", counts.images())
        .put("num_input_audio_prompt", counts.audio())
        .put("num_search_results", orNull(counts.citedPages()))
        .put("num_fetches", Json.NULL)
        .putOrNull("web_search_engine", counts.citedPages() < 0 ? null : "native")
        .put("total_cost", Json.of(money.total().dollars()))
        .put("usage", Json.of(money.total().dollars()))
        .put("upstream_inference_cost", Json.of(money.upstream().dollars()))
        .put("cache_discount", discount == null ? Json.NULL : Json.of(discount.dollars()))
        .putOrNull("response_cache_source_id", money.cachedGeneration())
        .put(
            "origin",
            Objects.requireNonNull(GenerationView.of(generation(row.bytes())).get("origin")))
        .putOrNull("http_referer", origin.referer())
        .putOrNull("app_title", origin.title())
        .put(
            "app_categories", Json.array(origin.categories().stream().<Json>map(Json::of).toList()))
        .putOrNull("user_agent", origin.userAgent())
        .putOrNull("external_user", row.sender().user())
        .build();
  }

  private static Json.Obj attempt(Response one) {
    var out = Json.object();
    out.putOrNull("id", one.id())
        .put("endpoint_id", one.endpoint())
        .putOrNull("provider_name", one.provider())
        .putOrNull("model_permaslug", one.model())
        .put("status", one.status())
        .put("latency", one.latencyMillis())
        .put("is_byok", one.usedByokKey())
        .putOrNull("routed_service_tier", one.serviceTier());
    AttemptCost paid = one.attemptCost();
    if (paid != null) {
      out.put("cost", Json.of(paid.cost().dollars()));
    }
    if (paid != null && paid.innerCall() != null) {
      out.put("inner_call", paid.innerCall());
    }
    return out.build();
  }

  private static Json orNull(long value) {
    return value < 0 ? Json.NULL : Json.of(value);
  }
}
