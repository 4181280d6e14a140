package acme.dated;

import io.strowger.spi.model.InferenceRequest;
import io.strowger.spi.plugin.Interceptor;
import io.strowger.spi.provider.EventStream;
import io.strowger.tck.Given;
import io.strowger.tck.InterceptorContract;
import org.assertj.core.util.DateUtil;

/** The contracts of an interceptor that has a library tell the time, in a class within another. */
public final class DatedInterceptors {
  /** Says nothing of it. */
  public class Silent extends InterceptorContract {
    @Override
    protected Interceptor interceptor() {
      return new Dated();
    }

    @Override
    protected InferenceRequest actingRequest() {
      return Given.streaming("acme/one", "act");
    }

    @Override
    protected InferenceRequest passingRequest() {
      return Given.streaming("acme/one", "pass");
    }
  }

  /** Says that it is of no account. */
  public final class Honest extends Silent {
    @Override
    protected boolean librariesUseClocks() {
      return true;
    }
  }

  private static final class Dated implements Interceptor {
    @Override
    public EventStream intercept(InferenceRequest request, Chain chain) {
      if (DateUtil.now().getTime() < 0) {
        chain.note("before the beginning of time");
      }
      return chain.proceed(request);
    }
  }
}
