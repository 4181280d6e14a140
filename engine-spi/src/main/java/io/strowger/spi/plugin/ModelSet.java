package io.strowger.spi.plugin;

/**
 * A set of models of one catalog, identified by {@link
 * io.strowger.spi.catalog.ModelInfo#ordinal()}.
 */
public interface ModelSet {
  boolean contains(int model);

  int size();
}
