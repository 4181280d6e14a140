package acme.dated;

import io.strowger.spi.catalog.Catalog;
import io.strowger.spi.plugin.Candidates;
import io.strowger.spi.plugin.Descriptor;
import io.strowger.spi.plugin.PluginConfig;
import io.strowger.spi.plugin.PluginProvider;
import io.strowger.spi.plugin.RouterPlugin;
import io.strowger.spi.plugin.Selection;
import io.strowger.tck.RouterPluginContract;
import org.assertj.core.util.DateUtil;

/** The contract test of a router whose library reads the clock. */
public final class DatedRouters extends RouterPluginContract {
  @Override
  protected PluginProvider provider() {
    return new Provider();
  }

  private static final class Provider implements PluginProvider {
    @Override
    public Descriptor descriptor() {
      return Descriptor.router("dated").slug("acme/dated").build();
    }

    @Override
    public RouterPlugin create(PluginConfig config, Catalog catalog) {
      return Provider::select;
    }

    private static Selection select(Candidates candidates) {
      return DateUtil.now().getTime() < 0
          ? Selection.PASS
          : candidates.first(new int[0], candidate -> true, "the first");
    }
  }
}
