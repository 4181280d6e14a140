package planted.strowger.destinations;

import planted.strowger.stores.StoreThatUsesHost;

/** An exporter that looks into a store. */
final class Insider {
  private Insider() {}

  static String look(StoreThatUsesHost hoard) {
    return hoard.toString();
  }
}
