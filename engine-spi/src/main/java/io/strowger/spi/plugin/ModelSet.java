package io.strowger.spi.plugin;

/** Some models of one catalog, by {@link io.strowger.spi.catalog.ModelInfo#ordinal()}. */
public interface ModelSet {
  boolean contains(int model);

  int size();
}
