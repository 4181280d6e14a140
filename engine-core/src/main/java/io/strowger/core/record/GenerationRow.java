package io.strowger.core.record;

import io.strowger.spi.catalog.Endpoint;
import io.strowger.spi.catalog.Usd;
import io.strowger.spi.model.RequestOrigin;
import io.strowger.spi.observe.CallRecord;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The record of a finished request, without its id, its owner and its arrival time, which are
 * stored beside it. Holds no text of prompt or answer. {@link #bytes} is its stored form, {@link
 * GenerationView} shows it. Unknown values are null. Immutable.
 */
public record GenerationRow(
    Identity identity, Route route, Ending ending, Counts counts, Money money, Sender sender) {
  /** The first byte of a row that this version writes. A row that begins with a brace is JSON. */
  static final int FORMAT = 2;

  /** The first byte of rows without the cost of each attempt, which are still read. */
  static final int EARLIER_FORMAT = 1;

  private static final int STREAMED = 1;
  private static final int CANCELLED = 2;
  private static final int BYOK_KEY = 4;
  private static final int KIND_FACTOR = 8; // multiplied by the ordinal of the kind
  private static final int FLAGS_BOUND = 64; // the number of values of the first flags octet

  // flags of a response
  private static final int HAS_COST = 2;
  private static final int OF_INNER_CALL = 4;
  private static final int RESPONSE_FLAGS_BOUND = 8;
  private static final int EARLIER_RESPONSE_FLAGS_BOUND = 2;

  /**
   * The ids and names of a request.
   *
   * @param upstream the id that the provider gave its answer
   */
  public record Identity(
      @Nullable String upstream,
      @Nullable String session,
      @Nullable String preset,
      String workspace) {}

  /**
   * Where a request was served, or tried last.
   *
   * @param router the router that the caller named
   * @param provider the name of the provider
   * @param responses one for each attempt, in order
   */
  public record Route(
      @Nullable String model,
      @Nullable String router,
      @Nullable String provider,
      @Nullable String region,
      @Nullable String serviceTier,
      List<Response> responses) {
    public Route {
      responses = List.copyOf(responses);
    }
  }

  /**
   * The response to one attempt.
   *
   * @param id the id that the provider gave its answer
   * @param endpoint id of the endpoint
   * @param status the HTTP status
   * @param usedByokKey whether a BYOK key was used
   * @param attemptCost what the attempt cost; null in rows of the earlier format
   */
  public record Response(
      @Nullable String id,
      String endpoint,
      @Nullable String provider,
      @Nullable String model,
      int status,
      long latencyMillis,
      boolean usedByokKey,
      @Nullable String serviceTier,
      @Nullable AttemptCost attemptCost) {}

  /**
   * What an attempt cost.
   *
   * @param innerCall the inner call it belongs to, such as {@code panel 1}; null when it belongs to
   *     the caller's own request
   */
  public record AttemptCost(Usd cost, @Nullable String innerCall) {}

  /** Why an answer ended, in the words of the chat dialect. Rows contain the ordinals. */
  public enum Finish {
    STOP("stop"),
    LENGTH("length"),
    TOOL_CALLS("tool_calls"),
    CONTENT_FILTER("content_filter"),
    ERROR("error");

    private static final List<Finish> ALL = List.of(values());

    private final String wireName;

    Finish(String wireName) {
      this.wireName = wireName;
    }

    String wireName() {
      return wireName;
    }

    /** Returns how an answer ended; null when it was given up without an error. */
    static @Nullable Finish of(FinishedRequest.Ending ending) {
      return switch (ending.stopReason()) {
        case null -> ending.outcome() == CallRecord.Outcome.ERROR ? ERROR : null;
        case END, STOP_SEQUENCE, PAUSE, COMPACTION -> STOP;
        case LENGTH, CONTEXT_WINDOW -> LENGTH;
        case TOOL_CALLS -> TOOL_CALLS;
        case CONTENT_FILTER, REFUSAL -> CONTENT_FILTER;
        case ERROR -> ERROR;
      };
    }
  }

  /**
   * How a request ended.
   *
   * @param nativeFinish the provider's own word for why the answer ended
   * @param usedByokKey whether a BYOK key was used for the answer
   * @param latencyMillis the time to the first content; -1 when there was none
   * @param generationMillis the time from dispatch to the end; -1 when no endpoint answered
   * @param kind the kind of the request; rows contain its ordinal
   */
  public record Ending(
      boolean streamed,
      boolean cancelled,
      @Nullable Finish finish,
      @Nullable String nativeFinish,
      boolean usedByokKey,
      long latencyMillis,
      long generationMillis,
      Endpoint.Kind kind) {}

  /**
   * What a request used.
   *
   * @param media images, videos and files in the prompt
   * @param images images in the answer
   * @param audio audio parts in the prompt
   * @param citedPages pages cited from a provider's own searches; -1 when there was no search
   */
  public record Counts(
      long prompt,
      long completion,
      long reasoning,
      long cacheRead,
      long media,
      long images,
      long audio,
      long citedPages) {}

  /**
   * What a request cost.
   *
   * @param upstream what the upstreams charge, as {@code Bill.upstreamCost}
   * @param cacheDiscount what prompt caching saved; negative when writing cost more
   * @param cachedGeneration the id of the generation whose answer was replayed
   */
  public record Money(
      Usd total, Usd upstream, @Nullable Usd cacheDiscount, @Nullable String cachedGeneration) {}

  /**
   * Who sent a request.
   *
   * @param origin the origin, with the same preset as {@link Identity}
   * @param user the caller's own name for its user
   */
  public record Sender(RequestOrigin origin, @Nullable String user) {}

  /** Returns the stored form of the row, about 250 bytes. */
  public byte[] bytes() {
    var out = new RowWriter();
    out.octet(FORMAT);
    out.octet(
        (ending.streamed ? STREAMED : 0)
            | (ending.cancelled ? CANCELLED : 0)
            | (ending.usedByokKey ? BYOK_KEY : 0)
            | KIND_FACTOR * ending.kind.ordinal());
    out.octet(ending.finish == null ? 0 : ending.finish.ordinal() + 1);
    out.text(identity.upstream);
    out.text(identity.session);
    out.text(identity.preset);
    out.text(identity.workspace);
    out.text(route.model);
    out.text(route.router);
    out.text(route.provider);
    out.text(route.region);
    out.text(route.serviceTier);
    out.number(route.responses.size());
    for (Response response : route.responses) {
      write(response, out);
    }
    out.text(ending.nativeFinish);
    out.number(ending.latencyMillis + 1);
    out.number(ending.generationMillis + 1);
    write(counts, out);
    write(money, out);
    write(sender, out);
    return out.bytes();
  }

  private void write(Response response, RowWriter out) {
    AttemptCost attemptCost = response.attemptCost;
    out.octet(
        (response.usedByokKey ? 1 : 0)
            | (attemptCost == null ? 0 : HAS_COST)
            | (attemptCost == null || attemptCost.innerCall == null ? 0 : OF_INNER_CALL));
    out.text(response.id, identity.upstream);
    out.text(response.endpoint);
    out.text(response.provider, route.provider);
    out.text(response.model, route.model);
    out.text(response.serviceTier, route.serviceTier);
    out.number(response.status);
    out.number(response.latencyMillis);
    if (attemptCost != null) {
      out.number(attemptCost.cost.nanos());
      if (attemptCost.innerCall != null) {
        out.text(attemptCost.innerCall);
      }
    }
  }

  private static void write(Counts counts, RowWriter out) {
    out.number(counts.prompt);
    out.number(counts.completion);
    out.number(counts.reasoning);
    out.number(counts.cacheRead);
    out.number(counts.media);
    out.number(counts.images);
    out.number(counts.audio);
    out.number(counts.citedPages + 1);
  }

  private static void write(Money money, RowWriter out) {
    out.number(money.total.nanos());
    out.number(money.upstream.nanos());
    out.octet(money.cacheDiscount == null ? 0 : 1);
    if (money.cacheDiscount != null) {
      out.number(money.cacheDiscount.nanos());
    }
    out.text(money.cachedGeneration);
  }

  private static void write(Sender sender, RowWriter out) {
    RequestOrigin origin = sender.origin;
    out.text(origin.referer());
    out.text(origin.title());
    out.number(origin.categories().size());
    for (String category : origin.categories()) {
      out.text(category);
    }
    out.text(origin.userAgent());
    out.text(sender.user);
  }

  /**
   * Reads a row from its stored form.
   *
   * @throws UnreadableRowException when it is damaged, or of a later version
   */
  public static GenerationRow of(byte[] row) {
    var in = new RowReader(row);
    int format = in.octet();
    if (format != FORMAT && format != EARLIER_FORMAT) {
      throw new UnreadableRowException(
          "the row is of format " + format + ", and this version reads up to " + FORMAT);
    }
    int flags = in.octet(FLAGS_BOUND);
    int finish = in.octet(Finish.ALL.size() + 1);
    var identity = new Identity(in.nullableText(), in.nullableText(), in.nullableText(), in.text());
    Route route =
        route(in, identity, format == FORMAT ? RESPONSE_FLAGS_BOUND : EARLIER_RESPONSE_FLAGS_BOUND);
    var ending =
        new Ending(
            (flags & STREAMED) != 0,
            (flags & CANCELLED) != 0,
            finish == 0 ? null : Finish.ALL.get(finish - 1),
            in.nullableText(),
            (flags & BYOK_KEY) != 0,
            in.number() - 1,
            in.number() - 1,
            kind(flags / KIND_FACTOR));
    Counts counts = counts(in);
    Money money = money(in);
    Sender sender = sender(in, identity.preset);
    in.requireEnd();
    return new GenerationRow(identity, route, ending, counts, money, sender);
  }

  private static Endpoint.Kind kind(int number) {
    Endpoint.Kind[] kinds = Endpoint.Kind.values();
    if (number >= kinds.length) {
      throw new UnreadableRowException("the row is damaged");
    }
    return kinds[number];
  }

  private static Route route(RowReader in, Identity identity, int responseFlags) {
    String model = in.nullableText();
    String router = in.nullableText();
    String provider = in.nullableText();
    String region = in.nullableText();
    String serviceTier = in.nullableText();
    int attemptCount = in.count();
    var responses = new ArrayList<Response>();
    for (int i = 0; i < attemptCount; i++) {
      int flags = in.octet(responseFlags);
      boolean byokKey = (flags & 1) != 0;
      String id = in.nullableText(identity.upstream);
      String endpoint = in.text();
      String responseProvider = in.nullableText(provider);
      String responseModel = in.nullableText(model);
      String tier = in.nullableText(serviceTier);
      int status = in.intNumber();
      long latency = in.number();
      AttemptCost attemptCost = attemptCost(in, flags);
      responses.add(
          new Response(
              id,
              endpoint,
              responseProvider,
              responseModel,
              status,
              latency,
              byokKey,
              tier,
              attemptCost));
    }
    return new Route(model, router, provider, region, serviceTier, responses);
  }

  private static @Nullable AttemptCost attemptCost(RowReader in, int flags) {
    return (flags & HAS_COST) == 0
        ? null
        : new AttemptCost(new Usd(in.number()), (flags & OF_INNER_CALL) == 0 ? null : in.text());
  }

  private static Counts counts(RowReader in) {
    return new Counts(
        in.number(),
        in.number(),
        in.number(),
        in.number(),
        in.number(),
        in.number(),
        in.number(),
        in.number() - 1);
  }

  private static Money money(RowReader in) {
    var total = new Usd(in.number());
    var upstream = new Usd(in.number());
    Usd discount = in.octet(2) == 0 ? null : new Usd(in.number());
    return new Money(total, upstream, discount, in.nullableText());
  }

  private static Sender sender(RowReader in, @Nullable String preset) {
    String referer = in.nullableText();
    String title = in.nullableText();
    int count = in.count();
    var categories = new ArrayList<String>();
    for (int i = 0; i < count; i++) {
      categories.add(in.text());
    }
    var origin = new RequestOrigin(referer, title, categories, in.nullableText(), preset);
    return new Sender(origin, in.nullableText());
  }
}
