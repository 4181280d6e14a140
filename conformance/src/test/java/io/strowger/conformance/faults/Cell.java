package io.strowger.conformance.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One cell of the matrix: a fault, the upstream that has it, and the API of the caller. It is
 * tested with each {@link OtherEndpoint}.
 *
 * @param number the index in the matrix, from 0
 * @param vendor the dialect of the faulty upstream
 * @param healthy the dialect of the other upstream
 */
record Cell(
    int number, FaultCase fault, Vendor vendor, boolean streaming, GatewayApi api, Vendor healthy) {

  /**
   * Returns a cell for each fault and dialect, streamed and not, with each API of the gateway in
   * turn.
   */
  static List<Cell> all() {
    var cells = new ArrayList<Cell>();
    List<FaultCase> faults = Faults.all();
    for (int row = 0; row < faults.size(); row++) {
      for (Vendor vendor : Vendor.values()) {
        for (boolean streaming : new boolean[] {true, false}) {
          if (faults.get(row).happens(vendor, streaming)) {
            int turn = row + vendor.ordinal() + (streaming ? 0 : 1);
            GatewayApi api = GatewayApi.values()[turn % GatewayApi.values().length];
            Vendor healthy = vendor.next(row);
            cells.add(new Cell(cells.size(), faults.get(row), vendor, streaming, api, healthy));
          }
        }
      }
    }
    return cells;
  }

  /** Returns the name of the model and of its faulty provider. */
  String name(OtherEndpoint other) {
    return other.name().toLowerCase(Locale.ROOT) + "-" + number;
  }

  /** Returns the name of the other endpoint's provider. */
  String otherProvider(OtherEndpoint other) {
    return other == OtherEndpoint.HEALTHY ? healthy.protocol() : name(other) + "-other";
  }

  /** Returns the text that the caller has read when the fault happens. */
  String textBefore() {
    return fault.textBefore(streaming);
  }

  boolean triesOtherEndpoint() {
    return fault.triesOtherEndpoint(streaming);
  }

  @Override
  public String toString() {
    return "%s, %s, %s, for %s"
        .formatted(fault, vendor.protocol(), streaming ? "stream" : "document", api.path());
  }
}
