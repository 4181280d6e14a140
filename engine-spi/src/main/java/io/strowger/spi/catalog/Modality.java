package io.strowger.spi.catalog;

import java.util.Collection;
import java.util.Locale;

/** A kind of content a model reads or writes. */
public enum Modality {
  TEXT,
  IMAGE,
  AUDIO,
  VIDEO,
  FILE;

  public int bit() {
    return 1 << ordinal();
  }

  public String wireName() {
    return name().toLowerCase(Locale.ROOT);
  }

  public static int mask(Collection<Modality> modalities) {
    int mask = 0;
    for (Modality modality : modalities) {
      mask |= modality.bit();
    }
    return mask;
  }
}
