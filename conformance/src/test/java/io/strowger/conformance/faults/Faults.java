package io.strowger.conformance.faults;

import static io.strowger.simulated.ScriptedFault.AFTER_HEAD;
import static io.strowger.simulated.ScriptedFault.BEFORE_HEAD;

import io.strowger.conformance.faults.FaultCase.Mode;
import io.strowger.conformance.faults.FaultCase.Time;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.spi.error.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** The rows of the fault matrix: every way in which an upstream can fail. */
final class Faults {
  private static final String PAGE = "<html><body>boom</body></html>";
  private static final Map<String, String> AS_PAGE = Map.of("Content-Type", "text/html");
  private static final Map<String, String> AS_STREAM = Map.of("Content-Type", "text/event-stream");
  private static final Duration COMMENTS = Duration.ofMillis(5);
  private static final Duration SLOW = Duration.ofMillis(50);

  /** The first piece of the text, which has been delivered when a fault comes after content. */
  private static final String FIRST_PIECE = FaultCase.TEXT.substring(0, 4);

  private final List<FaultCase> rows = new ArrayList<>();

  private Faults() {}

  static List<FaultCase> all() {
    var faults = new Faults();
    faults.connections();
    faults.silence();
    faults.garbage();
    faults.otherDocuments();
    faults.refusals();
    faults.pages();
    faults.limits();
    faults.errorEvents();
    faults.failedAnswers();
    return faults.rows;
  }

  private static Script playing(ScriptedFault scriptedFault) {
    return Script.builder()
        .text(FaultCase.TEXT)
        .chunks(FaultCase.PIECES)
        .fault(scriptedFault)
        .build();
  }

  private FaultCase row(String name, ScriptedFault scriptedFault, ErrorCode code) {
    return row(name, vendor -> scriptedFault, code);
  }

  private FaultCase row(
      String name, Function<Vendor, @Nullable ScriptedFault> fault, ErrorCode code) {
    var faultCase =
        new FaultCase(
            name,
            vendor -> fault.apply(vendor) instanceof ScriptedFault known ? playing(known) : null,
            code);
    rows.add(faultCase);
    return faultCase;
  }

  private void connections() {
    row("connection refused", new ScriptedFault.None(), ErrorCode.PROVIDER_ERROR)
        .refusingConnections();
    row("reset before the head", new ScriptedFault.Reset(BEFORE_HEAD), ErrorCode.PROVIDER_ERROR);
    row("reset after the head", new ScriptedFault.Reset(AFTER_HEAD), ErrorCode.PROVIDER_ERROR);
    row("reset after content", new ScriptedFault.Reset(1), ErrorCode.PROVIDER_ERROR)
        .after(FIRST_PIECE);
    row("cut before the head", new ScriptedFault.Cut(BEFORE_HEAD), ErrorCode.PROVIDER_ERROR);
    row("cut inside the head", new ScriptedFault.CutInside(BEFORE_HEAD), ErrorCode.PROVIDER_ERROR);
    row("cut before content", new ScriptedFault.Cut(AFTER_HEAD), ErrorCode.PROVIDER_ERROR);
    row(
        "cut inside the first event",
        new ScriptedFault.CutInside(AFTER_HEAD),
        ErrorCode.PROVIDER_ERROR);
    row("cut after content", new ScriptedFault.Cut(1), ErrorCode.PROVIDER_ERROR).after(FIRST_PIECE);
    row(
            "cut inside an event after content",
            new ScriptedFault.CutInside(1),
            ErrorCode.PROVIDER_ERROR)
        .after(FIRST_PIECE);
    row("cut before the end", new ScriptedFault.Cut(FaultCase.PIECES), ErrorCode.PROVIDER_ERROR)
        .after(FaultCase.TEXT);
    row(
            "a clean end without a finish reason",
            new ScriptedFault.Unfinished(),
            ErrorCode.PROVIDER_ERROR)
        .after(FaultCase.TEXT);
  }

  private void silence() {
    row("a slow first byte", new ScriptedFault.Stall(BEFORE_HEAD), ErrorCode.TIMEOUT)
        .time(Time.MOVED);
    row("a slow first event", new ScriptedFault.Stall(AFTER_HEAD), ErrorCode.TIMEOUT)
        .time(Time.MOVED);
    row("a stall in the middle", new ScriptedFault.Stall(1), ErrorCode.TIMEOUT)
        .time(Time.MOVED)
        .after(FIRST_PIECE);
    row("nothing but comments", new ScriptedFault.Drip(AFTER_HEAD, COMMENTS), ErrorCode.TIMEOUT)
        .time(Time.MOVED)
        .only(Mode.STREAM);
    row("comments after content", new ScriptedFault.Drip(1, COMMENTS), ErrorCode.TIMEOUT)
        .time(Time.MOVED)
        .only(Mode.STREAM)
        .after(FIRST_PIECE);
    row("one piece and then comments", new ScriptedFault.Drip(1, COMMENTS), ErrorCode.TIMEOUT)
        .time(Time.REAL)
        .only(Mode.STREAM);
    Script slowly =
        Script.builder().text(FaultCase.TEXT.repeat(4)).chunks(64).chunkDelay(SLOW).build();
    rows.add(
        new FaultCase("a slow drip of text", vendor -> slowly, ErrorCode.TIMEOUT)
            .time(Time.REAL)
            .only(Mode.STREAM));
  }

  private void garbage() {
    row(
        "garbage instead of a head",
        new ScriptedFault.Garbage(BEFORE_HEAD),
        ErrorCode.PROVIDER_ERROR);
    row(
        "malformed before content",
        new ScriptedFault.Garbage(AFTER_HEAD),
        ErrorCode.PROVIDER_ERROR);
    row("malformed after content", new ScriptedFault.Garbage(1), ErrorCode.PROVIDER_ERROR)
        .after(FIRST_PIECE);
  }

  private void otherDocuments() {
    row(
        "a web page instead of an answer",
        new ScriptedFault.RawResponse(200, AS_PAGE, PAGE),
        ErrorCode.PROVIDER_ERROR);
    row(
        "an empty body instead of an answer",
        new ScriptedFault.RawResponse(200, Map.of(), ""),
        ErrorCode.PROVIDER_ERROR);
    row(
        "an empty stream",
        new ScriptedFault.RawResponse(200, AS_STREAM, ""),
        ErrorCode.PROVIDER_ERROR);
    row(
        "an empty object",
        new ScriptedFault.RawResponse(200, Map.of(), "{}"),
        ErrorCode.PROVIDER_ERROR);
    row("a list", new ScriptedFault.RawResponse(200, Map.of(), "[]"), ErrorCode.PROVIDER_ERROR);
    row(
            "a document instead of a stream",
            vendor -> new ScriptedFault.RawResponse(200, Map.of(), vendor.document(FaultCase.TEXT)),
            ErrorCode.PROVIDER_ERROR)
        .only(Mode.STREAM);
    row(
            "a stream instead of a document",
            vendor ->
                new ScriptedFault.RawResponse(
                    200, AS_STREAM, "data: " + vendor.document(FaultCase.TEXT) + "\n\n"),
            ErrorCode.PROVIDER_ERROR)
        .only(Mode.DOCUMENT);
    row(
            "a stream with the content type of a document",
            new ScriptedFault.ContentType("application/json"),
            ErrorCode.PROVIDER_ERROR)
        .only(Mode.STREAM);
    row(
        "an error with status 200",
        vendor ->
            new ScriptedFault.RawResponse(
                200, Map.of(), vendor.refusal(UpstreamError.SERVER_ERROR)),
        ErrorCode.PROVIDER_ERROR);
    row(
            "an overload with status 200",
            vendor ->
                new ScriptedFault.RawResponse(
                    200, Map.of(), vendor.refusal(UpstreamError.OVERLOADED)),
            ErrorCode.TEMPORARILY_UNAVAILABLE)
        .forVendor(Vendor.MESSAGES, ErrorCode.PROVIDER_OVERLOADED); // this type means 529
  }

  private FaultCase refusal(String name, UpstreamError error, ErrorCode code) {
    return row(
        name,
        vendor -> new ScriptedFault.RawResponse(error.status(), Map.of(), vendor.refusal(error)),
        code);
  }

  private void refusals() {
    refusal("400 about the request", UpstreamError.BAD_REQUEST, ErrorCode.INVALID_REQUEST)
        .callersFault();
    refusal("400 about the length", UpstreamError.TOO_LONG, ErrorCode.CONTEXT_LENGTH_EXCEEDED)
        .callersFault();
    refusal(
            "400 about the content",
            UpstreamError.UNSAFE_CONTENT,
            ErrorCode.CONTENT_POLICY_VIOLATION)
        .callersFault();
    refusal("401", UpstreamError.BAD_KEY, ErrorCode.PROVIDER_ERROR);
    refusal("402", UpstreamError.NO_CREDIT, ErrorCode.PROVIDER_ERROR);
    refusal("403", UpstreamError.FORBIDDEN, ErrorCode.PROVIDER_ERROR);
    refusal("404", UpstreamError.NO_MODEL, ErrorCode.MODEL_UNAVAILABLE_UPSTREAM);
    refusal("500", UpstreamError.SERVER_ERROR, ErrorCode.PROVIDER_ERROR);
    refusal("503", UpstreamError.OVERLOADED, ErrorCode.TEMPORARILY_UNAVAILABLE);
    refusal("504", UpstreamError.TIMED_OUT, ErrorCode.TIMEOUT);
    row(
        "529",
        vendor ->
            new ScriptedFault.RawResponse(529, Map.of(), vendor.refusal(UpstreamError.OVERLOADED)),
        ErrorCode.PROVIDER_OVERLOADED);
    row(
            "400 within a JSON list",
            vendor -> inList(vendor, 400, vendor.refusal(UpstreamError.BAD_REQUEST)),
            ErrorCode.INVALID_REQUEST)
        .callersFault();
    row(
        "503 within a JSON list",
        vendor -> inList(vendor, 503, vendor.refusal(UpstreamError.OVERLOADED)),
        ErrorCode.TEMPORARILY_UNAVAILABLE);
  }

  /** Returns the error within a list, as gemini sends errors of streams; null for other vendors. */
  private static ScriptedFault.@Nullable RawResponse inList(
      Vendor vendor, int status, String error) {
    return vendor == Vendor.GEMINI
        ? new ScriptedFault.RawResponse(status, Map.of(), "[" + error + "]")
        : null;
  }

  private void pages() {
    row(
        "a web page with 502",
        new ScriptedFault.RawResponse(502, AS_PAGE, PAGE),
        ErrorCode.PROVIDER_ERROR);
    row(
        "a web page with 503",
        new ScriptedFault.RawResponse(503, AS_PAGE, PAGE),
        ErrorCode.TEMPORARILY_UNAVAILABLE);
    row(
        "a web page with 529",
        new ScriptedFault.RawResponse(529, AS_PAGE, PAGE),
        ErrorCode.PROVIDER_OVERLOADED);
    row(
        "a web page with 504",
        new ScriptedFault.RawResponse(504, AS_PAGE, PAGE),
        ErrorCode.TIMEOUT);
    row(
        "an empty body with 500",
        new ScriptedFault.RawResponse(500, Map.of(), ""),
        ErrorCode.PROVIDER_ERROR);
    row(
        "an empty body with 401",
        new ScriptedFault.RawResponse(401, Map.of(), ""),
        ErrorCode.PROVIDER_ERROR);
    row(
        "half a document with 500",
        new ScriptedFault.RawResponse(500, Map.of(), "{"),
        ErrorCode.PROVIDER_ERROR);
    row(
        "a redirect to another address",
        new ScriptedFault.RawResponse(
            302, Map.of("Location", "http://127.0.0.1:1/", "Content-Type", "a/b"), ""),
        ErrorCode.PROVIDER_ERROR);
  }

  private void limits() {
    refusal("429", UpstreamError.RATE_LIMITED, ErrorCode.CAPACITY_EXHAUSTED);
    row(
        "an empty body with 429",
        new ScriptedFault.RawResponse(429, Map.of(), ""),
        ErrorCode.CAPACITY_EXHAUSTED);
    row(
            "429 with a time to wait",
            vendor ->
                new ScriptedFault.RawResponse(
                    429, Map.of("Retry-After", "7"), vendor.refusal(UpstreamError.RATE_LIMITED)),
            ErrorCode.CAPACITY_EXHAUSTED)
        .retryAfter(7);
    row(
            "429 within a JSON list with a time to wait",
            vendor -> inList(vendor, 429, Vendor.retryInfo(UpstreamError.RATE_LIMITED, 9)),
            ErrorCode.CAPACITY_EXHAUSTED)
        .retryAfter(9);
    row(
            "503 with a time to wait",
            vendor ->
                new ScriptedFault.RawResponse(
                    503, Map.of("Retry-After", "5"), vendor.refusal(UpstreamError.OVERLOADED)),
            ErrorCode.TEMPORARILY_UNAVAILABLE)
        .retryAfter(5);
  }

  private FaultCase errorEvent(String name, int at, UpstreamError error, ErrorCode code) {
    return row(name, vendor -> new ScriptedFault.ErrorFrame(at, vendor.event(error)), code);
  }

  /** Adds an error event of an overload; only the messages dialect has a type that means 529. */
  private FaultCase overloaded(String name, int at) {
    return errorEvent(name, at, UpstreamError.OVERLOADED, ErrorCode.TEMPORARILY_UNAVAILABLE)
        .forVendor(Vendor.MESSAGES, ErrorCode.PROVIDER_OVERLOADED);
  }

  private void errorEvents() {
    errorEvent(
        "an error event before content",
        AFTER_HEAD,
        UpstreamError.SERVER_ERROR,
        ErrorCode.PROVIDER_ERROR);
    errorEvent(
            "an error event after content", 1, UpstreamError.SERVER_ERROR, ErrorCode.PROVIDER_ERROR)
        .after(FIRST_PIECE);
    overloaded("an overload event before content", AFTER_HEAD);
    overloaded("an overload event after content", 1).after(FIRST_PIECE);
    errorEvent(
        "a rate limit event before content",
        AFTER_HEAD,
        UpstreamError.RATE_LIMITED,
        ErrorCode.CAPACITY_EXHAUSTED);
    errorEvent(
            "a rate limit event after content",
            1,
            UpstreamError.RATE_LIMITED,
            ErrorCode.CAPACITY_EXHAUSTED)
        .after(FIRST_PIECE);
    errorEvent(
            "an invalid request event before content",
            AFTER_HEAD,
            UpstreamError.BAD_REQUEST,
            ErrorCode.INVALID_REQUEST)
        .callersFault();
  }

  private void failedAnswers() {
    failedAnswer(
        "a stream that ends as failed, without content", vendor -> vendor.failedStream(""));
    failedAnswer(
            "a stream that ends as failed, after content",
            vendor -> vendor.failedStream(FIRST_PIECE))
        .after(FIRST_PIECE);
    row(
            "a document of a failed answer",
            vendor ->
                vendor.failedDocument() instanceof String failed
                    ? new ScriptedFault.RawResponse(200, Map.of(), failed)
                    : null,
            ErrorCode.PROVIDER_ERROR)
        .only(Mode.DOCUMENT);
  }

  private FaultCase failedAnswer(String name, Function<Vendor, @Nullable String> stream) {
    return row(
            name,
            vendor ->
                stream.apply(vendor) instanceof String failed
                    ? new ScriptedFault.RawResponse(200, AS_STREAM, failed)
                    : null,
            ErrorCode.PROVIDER_ERROR)
        .only(Mode.STREAM);
  }
}
