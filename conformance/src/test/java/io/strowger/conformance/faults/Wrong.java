package io.strowger.conformance.faults;

import io.strowger.simulated.Script;
import io.strowger.spi.error.ErrorCode;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** One thing that can go wrong, and what has to come of it. */
final class Wrong {
  /** What the answer says before it goes wrong, or would have said. */
  static final String TEXT = "aaaabbbbccccdddd";

  /** Pieces of it in a stream. */
  static final int PIECES = 4;

  /** Which requests a fault is for. */
  enum Mode {
    BOTH,
    STREAM,
    WHOLE
  }

  /** What lets a deadline pass. */
  enum Time {
    /** No deadline is needed: time stands still. */
    STILL,
    /** Moved by the test once the upstream is silent. */
    MOVED,
    /** As it is. */
    REAL
  }

  private final String name;
  private final Function<Vendor, @Nullable Script> script;
  private final ErrorCode alone;
  private @Nullable Vendor dialect;
  private ErrorCode aloneInDialect;
  private Mode mode = Mode.BOTH;
  private Time time = Time.STILL;
  private String said = "";
  private boolean refused;
  private boolean callersFault;
  private long wait = -1;

  /**
   * @param script what the upstream does; null where a dialect has nothing like it
   * @param alone what the caller is told when nobody else can be asked
   */
  Wrong(String name, Function<Vendor, @Nullable Script> script, ErrorCode alone) {
    this.name = Objects.requireNonNull(name);
    this.script = script;
    this.alone = alone;
    this.aloneInDialect = alone;
  }

  Wrong only(Mode value) {
    mode = value;
    return this;
  }

  Wrong time(Time value) {
    time = value;
    return this;
  }

  /** A stream says this much before. */
  Wrong after(String delivered) {
    said = delivered;
    return this;
  }

  /** Nobody listens. */
  Wrong connectionRefused() {
    refused = true;
    return this;
  }

  /** Another endpoint would say the same. */
  Wrong callersFault() {
    callersFault = true;
    return this;
  }

  /** The upstream asks for so many seconds. */
  Wrong waiting(long seconds) {
    wait = seconds;
    return this;
  }

  boolean happens(Vendor vendor, boolean streaming) {
    return mode != (streaming ? Mode.WHOLE : Mode.STREAM) && script.apply(vendor) != null;
  }

  Script script(Vendor vendor) {
    return Objects.requireNonNull(script.apply(vendor));
  }

  /** One dialect's word for it means something else. */
  Wrong inDialect(Vendor vendor, ErrorCode code) {
    dialect = vendor;
    aloneInDialect = code;
    return this;
  }

  ErrorCode alone(Vendor vendor) {
    return vendor == dialect ? aloneInDialect : alone;
  }

  Time time() {
    return time;
  }

  /** What the caller has read when it happens. */
  String said(boolean streaming) {
    return streaming ? said : "";
  }

  boolean isRefused() {
    return refused;
  }

  /** Whether a second candidate is to answer. */
  boolean isMadeGood(boolean streaming) {
    return !callersFault && said(streaming).isEmpty();
  }

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
