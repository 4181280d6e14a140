package io.strowger.conformance.faults;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * One cell of the matrix: a fault, where it happens and who is told. Asked in each {@link Company}.
 *
 * @param number in the matrix, from 0
 * @param healthy the dialect of the other upstream
 */
record Cell(
    int number, Wrong wrong, Vendor vendor, boolean streaming, Front front, Vendor healthy) {

  /** Every fault in each dialect, streamed and not; each front meets each fault. */
  static List<Cell> all() {
    var cells = new ArrayList<Cell>();
    List<Wrong> faults = Faults.all();
    for (int row = 0; row < faults.size(); row++) {
      for (Vendor vendor : Vendor.values()) {
        for (boolean streaming : new boolean[] {true, false}) {
          if (faults.get(row).happens(vendor, streaming)) {
            int turn = row + vendor.ordinal() + (streaming ? 0 : 1);
            Front front = Front.values()[turn % Front.values().length];
            Vendor healthy = vendor.next(row);
            cells.add(new Cell(cells.size(), faults.get(row), vendor, streaming, front, healthy));
          }
        }
      }
    }
    return cells;
  }

  /** The name of the model, and of its faulty provider. */
  String name(Company company) {
    return company.name().toLowerCase(Locale.ROOT) + "-" + number;
  }

  /** The other upstream's provider. */
  String other(Company company) {
    return company == Company.HEALTHY ? healthy.protocol() : name(company) + "-too";
  }

  /** What the caller has read before it goes wrong. */
  String said() {
    return wrong.said(streaming);
  }

  boolean isMadeGood() {
    return wrong.isMadeGood(streaming);
  }

  @Override
  public String toString() {
    return "%s, %s, %s, for %s"
        .formatted(wrong, vendor.protocol(), streaming ? "stream" : "whole", front.path());
  }
}
