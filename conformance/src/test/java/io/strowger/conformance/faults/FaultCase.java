package io.strowger.conformance.faults;

import io.strowger.simulated.Script;
import io.strowger.spi.error.ErrorCode;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One way in which an upstream fails, and what the gateway has to make of it. */
final class FaultCase {
  /** The text of the whole answer that the upstream begins, or would have begun. */
  static final String TEXT = "aaaabbbbccccdddd";

  /** The number of pieces in which a stream sends the text. */
  static final int PIECES = 4;

  /** The requests to which a fault applies. */
  enum Mode {
    BOTH,
    STREAM,
    DOCUMENT
  }

  /** How the time passes that a deadline needs. */
  enum Time {
    /** No deadline has to pass: the clock stands still. */
    STILL,
    /** The test moves the clock once the upstream is silent. */
    MOVED,
    /** The real clock. */
    REAL
  }

  private final String name;
  private final Function<Vendor, @Nullable Script> script;
  private final ErrorCode code;
  private @Nullable Vendor exceptionalVendor;
  private ErrorCode exceptionalCode;
  private Mode mode = Mode.BOTH;
  private Time time = Time.STILL;
  private String textBefore = "";
  private boolean refusesConnections;
  private boolean callersFault;
  private long wait = -1;

  /**
   * @param script what the upstream does; null where a dialect has nothing like it
   * @param code the error that the caller gets when there is no other endpoint
   */
  FaultCase(String name, Function<Vendor, @Nullable Script> script, ErrorCode code) {
    this.name = Objects.requireNonNull(name);
    this.script = script;
    this.code = code;
    this.exceptionalCode = code;
  }

  /** Restricts the fault to some requests. */
  FaultCase only(Mode value) {
    mode = value;
    return this;
  }

  FaultCase time(Time value) {
    time = value;
    return this;
  }

  /** Sets the text that a stream has delivered when the fault happens. */
  FaultCase after(String text) {
    textBefore = text;
    return this;
  }

  /** Makes the upstream a port on which no process listens. */
  FaultCase refusingConnections() {
    refusesConnections = true;
    return this;
  }

  /** Marks an error of the request, for which no other endpoint is tried. */
  FaultCase callersFault() {
    callersFault = true;
    return this;
  }

  /** Sets the seconds to wait that the upstream names, and the gateway then names to the caller. */
  FaultCase retryAfter(long seconds) {
    wait = seconds;
    return this;
  }

  /** Returns whether this vendor can fail in this way for such a request. */
  boolean happens(Vendor vendor, boolean streaming) {
    return mode != (streaming ? Mode.DOCUMENT : Mode.STREAM) && script.apply(vendor) != null;
  }

  Script script(Vendor vendor) {
    return Objects.requireNonNull(script.apply(vendor));
  }

  /** Sets another error for one vendor, whose dialect is more exact. */
  FaultCase forVendor(Vendor vendor, ErrorCode exception) {
    exceptionalVendor = vendor;
    exceptionalCode = exception;
    return this;
  }

  /** Returns the error that the caller gets when there is no other endpoint. */
  ErrorCode code(Vendor vendor) {
    return vendor == exceptionalVendor ? exceptionalCode : code;
  }

  Time time() {
    return time;
  }

  /** Returns the text that the caller has read when the fault happens. */
  String textBefore(boolean streaming) {
    return streaming ? textBefore : "";
  }

  boolean refusesConnections() {
    return refusesConnections;
  }

  /** Returns whether the gateway has to try another endpoint. */
  boolean triesOtherEndpoint(boolean streaming) {
    return !callersFault && textBefore(streaming).isEmpty();
  }

  /** Returns the seconds to wait that the upstream names; -1 for none. */
  long waitSeconds() {
    return wait;
  }

  boolean isCallersFault() {
    return callersFault;
  }

  @Override
  public String toString() {
    return name;
  }
}
