package io.strowger.conformance.faults;

import static io.strowger.simulated.ScriptedFault.AFTER_HEAD;
import static io.strowger.simulated.ScriptedFault.BEFORE_HEAD;

import io.strowger.conformance.faults.Wrong.Mode;
import io.strowger.conformance.faults.Wrong.Time;
import io.strowger.simulated.Script;
import io.strowger.simulated.ScriptedFault;
import io.strowger.spi.error.ErrorCode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Everything that can go wrong: the rows of the matrix. */
final class Faults {
  private static final String PAGE = "<html><body>boom</body></html>";
  private static final Map<String, String> AS_PAGE = Map.of("Content-Type", "text/html");
  private static final Map<String, String> AS_STREAM = Map.of("Content-Type", "text/event-stream");
  private static final Duration COMMENTS = Duration.ofMillis(5);
  private static final Duration SLOW = Duration.ofMillis(50);

  /** What of the text has been said by then. */
  private static final String FIRST = Wrong.TEXT.substring(0, 4);

  private final List<Wrong> rows = new ArrayList<>();

  private Faults() {}

  static List<Wrong> all() {
    var faults = new Faults();
    faults.connections();
    faults.silence();
    faults.nonsense();
    faults.otherDocuments();
    faults.refusals();
    faults.pages();
    faults.limits();
    faults.reports();
    faults.failedAnswers();
    return faults.rows;
  }

  private static Script playing(ScriptedFault scriptedFault) {
    return Script.builder().text(Wrong.TEXT).chunks(Wrong.PIECES).fault(scriptedFault).build();
  }

  private Wrong row(String name, ScriptedFault scriptedFault, ErrorCode alone) {
    return row(name, vendor -> scriptedFault, alone);
  }

  private Wrong row(String name, Function<Vendor, @Nullable ScriptedFault> fault, ErrorCode alone) {
    var wrong =
        new Wrong(
            name,
            vendor -> fault.apply(vendor) instanceof ScriptedFault known ? playing(known) : null,
            alone);
    rows.add(wrong);
    return wrong;
  }

  private void connections() {
    row("connection refused", new ScriptedFault.None(), ErrorCode.PROVIDER_ERROR)
        .connectionRefused();
    row("reset before the head", new ScriptedFault.Reset(BEFORE_HEAD), ErrorCode.PROVIDER_ERROR);
    row("reset after the head", new ScriptedFault.Reset(AFTER_HEAD), ErrorCode.PROVIDER_ERROR);
    row("reset after content", new ScriptedFault.Reset(1), ErrorCode.PROVIDER_ERROR).after(FIRST);
    row("cut before the head", new ScriptedFault.Cut(BEFORE_HEAD), ErrorCode.PROVIDER_ERROR);
    row("cut inside the head", new ScriptedFault.CutInside(BEFORE_HEAD), ErrorCode.PROVIDER_ERROR);
    row("cut before content", new ScriptedFault.Cut(AFTER_HEAD), ErrorCode.PROVIDER_ERROR);
    row(
        "cut inside the first event",
        new ScriptedFault.CutInside(AFTER_HEAD),
        ErrorCode.PROVIDER_ERROR);
    row("cut after content", new ScriptedFault.Cut(1), ErrorCode.PROVIDER_ERROR).after(FIRST);
    row(
            "cut inside an event after content",
            new ScriptedFault.CutInside(1),
            ErrorCode.PROVIDER_ERROR)
        .after(FIRST);
    row("cut before the end", new ScriptedFault.Cut(Wrong.PIECES), ErrorCode.PROVIDER_ERROR)
        .after(Wrong.TEXT);
    row("a clean end without saying so", new ScriptedFault.Unfinished(), ErrorCode.PROVIDER_ERROR)
        .after(Wrong.TEXT);
  }

  private void silence() {
    row("a slow first byte", new ScriptedFault.Stall(BEFORE_HEAD), ErrorCode.TIMEOUT)
        .time(Time.MOVED);
    row("a slow first event", new ScriptedFault.Stall(AFTER_HEAD), ErrorCode.TIMEOUT)
        .time(Time.MOVED);
    row("a stall in the middle", new ScriptedFault.Stall(1), ErrorCode.TIMEOUT)
        .time(Time.MOVED)
        .after(FIRST);
    row("nothing but comments", new ScriptedFault.Drip(AFTER_HEAD, COMMENTS), ErrorCode.TIMEOUT)
        .time(Time.MOVED)
        .only(Mode.STREAM);
    row("comments after content", new ScriptedFault.Drip(1, COMMENTS), ErrorCode.TIMEOUT)
        .time(Time.MOVED)
        .only(Mode.STREAM)
        .after(FIRST);
    row("a word and then comments", new ScriptedFault.Drip(1, COMMENTS), ErrorCode.TIMEOUT)
        .time(Time.REAL)
        .only(Mode.STREAM);
    Script slowly = Script.builder().text(Wrong.TEXT.repeat(4)).chunks(64).chunkDelay(SLOW).build();
    rows.add(
        new Wrong("a slow drip", vendor -> slowly, ErrorCode.TIMEOUT)
            .time(Time.REAL)
            .only(Mode.STREAM));
  }

  private void nonsense() {
    row("nonsense for a head", new ScriptedFault.Garbage(BEFORE_HEAD), ErrorCode.PROVIDER_ERROR);
    row(
        "malformed before content",
        new ScriptedFault.Garbage(AFTER_HEAD),
        ErrorCode.PROVIDER_ERROR);
    row("malformed after content", new ScriptedFault.Garbage(1), ErrorCode.PROVIDER_ERROR)
        .after(FIRST);
  }

  private void otherDocuments() {
    row(
        "a page for an answer",
        new ScriptedFault.Refuse(200, AS_PAGE, PAGE),
        ErrorCode.PROVIDER_ERROR);
    row(
        "nothing for an answer",
        new ScriptedFault.Refuse(200, Map.of(), ""),
        ErrorCode.PROVIDER_ERROR);
    row("an empty stream", new ScriptedFault.Refuse(200, AS_STREAM, ""), ErrorCode.PROVIDER_ERROR);
    row("an empty object", new ScriptedFault.Refuse(200, Map.of(), "{}"), ErrorCode.PROVIDER_ERROR);
    row("a list", new ScriptedFault.Refuse(200, Map.of(), "[]"), ErrorCode.PROVIDER_ERROR);
    row(
            "a document for a stream",
            vendor -> new ScriptedFault.Refuse(200, Map.of(), vendor.document(Wrong.TEXT)),
            ErrorCode.PROVIDER_ERROR)
        .only(Mode.STREAM);
    row(
            "a stream for a document",
            vendor ->
                new ScriptedFault.Refuse(
                    200, AS_STREAM, "data: " + vendor.document(Wrong.TEXT) + "\n\n"),
            ErrorCode.PROVIDER_ERROR)
        .only(Mode.WHOLE);
    row(
            "a stream that says it is a document",
            new ScriptedFault.ContentType("application/json"),
            ErrorCode.PROVIDER_ERROR)
        .only(Mode.STREAM);
    row(
        "an error with status 200",
        vendor -> new ScriptedFault.Refuse(200, Map.of(), vendor.refusal(Complaint.BROKEN)),
        ErrorCode.PROVIDER_ERROR);
    row(
            "an overload with status 200",
            vendor -> new ScriptedFault.Refuse(200, Map.of(), vendor.refusal(Complaint.OVERLOADED)),
            ErrorCode.TEMPORARILY_UNAVAILABLE)
        .inDialect(Vendor.MESSAGES, ErrorCode.PROVIDER_OVERLOADED); // its word for 529
  }

  private Wrong refusal(String name, Complaint why, ErrorCode alone) {
    return row(
        name,
        vendor -> new ScriptedFault.Refuse(why.status(), Map.of(), vendor.refusal(why)),
        alone);
  }

  private void refusals() {
    refusal("400 about the request", Complaint.BAD_REQUEST, ErrorCode.INVALID_REQUEST)
        .callersFault();
    refusal("400 about the length", Complaint.TOO_LONG, ErrorCode.CONTEXT_LENGTH_EXCEEDED)
        .callersFault();
    refusal("400 about the content", Complaint.UNSAFE, ErrorCode.CONTENT_POLICY_VIOLATION)
        .callersFault();
    refusal("401", Complaint.BAD_KEY, ErrorCode.PROVIDER_ERROR);
    refusal("402", Complaint.POOR, ErrorCode.PROVIDER_ERROR);
    refusal("403", Complaint.FORBIDDEN, ErrorCode.PROVIDER_ERROR);
    refusal("404", Complaint.NO_MODEL, ErrorCode.MODEL_UNAVAILABLE_UPSTREAM);
    refusal("500", Complaint.BROKEN, ErrorCode.PROVIDER_ERROR);
    refusal("503", Complaint.OVERLOADED, ErrorCode.TEMPORARILY_UNAVAILABLE);
    refusal("504", Complaint.LATE, ErrorCode.TIMEOUT);
    row(
        "529",
        vendor -> new ScriptedFault.Refuse(529, Map.of(), vendor.refusal(Complaint.OVERLOADED)),
        ErrorCode.PROVIDER_OVERLOADED);
    row(
            "400 in a list",
            vendor -> inList(vendor, 400, vendor.refusal(Complaint.BAD_REQUEST)),
            ErrorCode.INVALID_REQUEST)
        .callersFault();
    row(
        "503 in a list",
        vendor -> inList(vendor, 503, vendor.refusal(Complaint.OVERLOADED)),
        ErrorCode.TEMPORARILY_UNAVAILABLE);
  }

  /** Some upstreams put the error of a stream into a list. */
  private static ScriptedFault.@Nullable Refuse inList(Vendor vendor, int status, String error) {
    return vendor == Vendor.GEMINI
        ? new ScriptedFault.Refuse(status, Map.of(), "[" + error + "]")
        : null;
  }

  private void pages() {
    row("a page with 502", new ScriptedFault.Refuse(502, AS_PAGE, PAGE), ErrorCode.PROVIDER_ERROR);
    row(
        "a page with 503",
        new ScriptedFault.Refuse(503, AS_PAGE, PAGE),
        ErrorCode.TEMPORARILY_UNAVAILABLE);
    row(
        "a page with 529",
        new ScriptedFault.Refuse(529, AS_PAGE, PAGE),
        ErrorCode.PROVIDER_OVERLOADED);
    row("a page with 504", new ScriptedFault.Refuse(504, AS_PAGE, PAGE), ErrorCode.TIMEOUT);
    row("nothing with 500", new ScriptedFault.Refuse(500, Map.of(), ""), ErrorCode.PROVIDER_ERROR);
    row("nothing with 401", new ScriptedFault.Refuse(401, Map.of(), ""), ErrorCode.PROVIDER_ERROR);
    row(
        "half a document with 500",
        new ScriptedFault.Refuse(500, Map.of(), "{"),
        ErrorCode.PROVIDER_ERROR);
    row(
        "a page of somewhere else",
        new ScriptedFault.Refuse(
            302, Map.of("Location", "http://127.0.0.1:1/", "Content-Type", "a/b"), ""),
        ErrorCode.PROVIDER_ERROR);
  }

  private void limits() {
    refusal("429", Complaint.LIMITED, ErrorCode.CAPACITY_EXHAUSTED);
    row(
        "nothing with 429",
        new ScriptedFault.Refuse(429, Map.of(), ""),
        ErrorCode.CAPACITY_EXHAUSTED);
    row(
            "429 with a time to wait",
            vendor ->
                new ScriptedFault.Refuse(
                    429, Map.of("Retry-After", "7"), vendor.refusal(Complaint.LIMITED)),
            ErrorCode.CAPACITY_EXHAUSTED)
        .waiting(7);
    row(
            "429 in a list with a time to wait",
            vendor -> inList(vendor, 429, Vendor.waiting(Complaint.LIMITED, 9)),
            ErrorCode.CAPACITY_EXHAUSTED)
        .waiting(9);
    row(
            "503 with a time to wait",
            vendor ->
                new ScriptedFault.Refuse(
                    503, Map.of("Retry-After", "5"), vendor.refusal(Complaint.OVERLOADED)),
            ErrorCode.TEMPORARILY_UNAVAILABLE)
        .waiting(5);
  }

  private Wrong report(String name, int at, Complaint why, ErrorCode alone) {
    return row(name, vendor -> new ScriptedFault.ErrorFrame(at, vendor.event(why)), alone);
  }

  /** Only the messages dialect has a word that means 529. */
  private Wrong overloaded(String name, int at) {
    return report(name, at, Complaint.OVERLOADED, ErrorCode.TEMPORARILY_UNAVAILABLE)
        .inDialect(Vendor.MESSAGES, ErrorCode.PROVIDER_OVERLOADED);
  }

  private void reports() {
    report("error event before content", AFTER_HEAD, Complaint.BROKEN, ErrorCode.PROVIDER_ERROR);
    report("error event after content", 1, Complaint.BROKEN, ErrorCode.PROVIDER_ERROR).after(FIRST);
    overloaded("overloaded before content", AFTER_HEAD);
    overloaded("overloaded after content", 1).after(FIRST);
    report("limited before content", AFTER_HEAD, Complaint.LIMITED, ErrorCode.CAPACITY_EXHAUSTED);
    report("limited after content", 1, Complaint.LIMITED, ErrorCode.CAPACITY_EXHAUSTED)
        .after(FIRST);
    report("400 before content", AFTER_HEAD, Complaint.BAD_REQUEST, ErrorCode.INVALID_REQUEST)
        .callersFault();
  }

  private void failedAnswers() {
    failedAnswer("a stream that only says it failed", vendor -> vendor.failedStream(""));
    failedAnswer("a stream that says it failed", vendor -> vendor.failedStream(FIRST)).after(FIRST);
    row(
            "a document that says it failed",
            vendor ->
                vendor.failedDocument() instanceof String failed
                    ? new ScriptedFault.Refuse(200, Map.of(), failed)
                    : null,
            ErrorCode.PROVIDER_ERROR)
        .only(Mode.WHOLE);
  }

  private Wrong failedAnswer(String name, Function<Vendor, @Nullable String> stream) {
    return row(
            name,
            vendor ->
                stream.apply(vendor) instanceof String failed
                    ? new ScriptedFault.Refuse(200, AS_STREAM, failed)
                    : null,
            ErrorCode.PROVIDER_ERROR)
        .only(Mode.STREAM);
  }
}
