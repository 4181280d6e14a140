package io.strowger.benchmarks.http;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.time.Duration;
import javax.management.JMException;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/**
 * Reads the counters of another JVM of this machine, which need not know of it: processor time,
 * bytes allocated, and the heap that is in use. For one thread.
 *
 * <p>The bytes allocated are those of {@code com.sun.management.ThreadMXBean}: the sum over all
 * Java threads, living and ended. A virtual thread allocates in the name of its carrier, which is
 * one of them. Reading the counters costs that JVM some hundred kilobytes and a millisecond each
 * time, so they are read around thousands of requests, never around one.
 */
public final class JvmCounters implements AutoCloseable {
  /**
   * For the command line of the JVM to be read: Helidon refuses all serialised objects otherwise.
   */
  public static final String JVM_OPTION = "-Dhelidon.serialFilter.missing.action=ignore";

  private final JMXConnector connector;
  private final MBeanServerConnection beans;

  private JvmCounters(JMXConnector connector) throws IOException {
    this.connector = connector;
    this.beans = connector.getMBeanServerConnection();
  }

  /**
   * Connects to a JVM of the same user.
   *
   * @throws IOException when it ended, or does not let anybody look
   */
  @SuppressWarnings("BanJNDI") // what is read comes from a process that the benchmark started
  public static JvmCounters attach(long pid) throws IOException {
    try {
      VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
      try {
        String address = machine.startLocalManagementAgent();
        return new JvmCounters(JMXConnectorFactory.connect(new JMXServiceURL(address)));
      } finally {
        machine.detach();
      }
    } catch (AttachNotSupportedException e) {
      throw new IOException("the counters of process " + pid + " cannot be read", e);
    }
  }

  /** What it has used since its start. */
  public ProcessUsage usage() {
    long cpu = (Long) attribute("OperatingSystem", "ProcessCpuTime");
    long allocated = (Long) attribute("Threading", "TotalThreadAllocatedBytes");
    return new ProcessUsage(Duration.ofNanos(cpu), allocated);
  }

  /** Bytes of its heap that are reachable: what is left after its garbage was collected. */
  public long liveHeap() {
    try {
      beans.invoke(bean("Memory"), "gc", null, null);
    } catch (IOException | JMException e) {
      throw new IllegalStateException("the counters of a process cannot be read", e);
    }
    return (Long) ((CompositeData) attribute("Memory", "HeapMemoryUsage")).get("used");
  }

  /** The classes it has loaded and not unloaded, those that reading counters needs included. */
  public int loadedClasses() {
    return (Integer) attribute("ClassLoading", "LoadedClassCount");
  }

  private Object attribute(String bean, String name) {
    try {
      return beans.getAttribute(bean(bean), name);
    } catch (IOException | JMException e) {
      throw new IllegalStateException("the counters of a process cannot be read", e);
    }
  }

  private static ObjectName bean(String type) throws JMException {
    return new ObjectName("java.lang:type=" + type);
  }

  @Override
  public void close() {
    try {
      connector.close();
    } catch (IOException gone) {
      // with the process, and nothing is kept of it
    }
  }
}
