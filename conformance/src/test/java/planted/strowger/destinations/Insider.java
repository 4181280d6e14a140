package planted.strowger.destinations;

import planted.strowger.stores.Hoard;

/** An exporter that looks into a store. */
final class Insider {
  private Insider() {}

  static String look(Hoard hoard) {
    return hoard.toString();
  }
}
