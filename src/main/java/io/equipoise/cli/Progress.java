package io.equipoise.cli;

import me.tongfei.progressbar.DelegatingProgressBarConsumer;
import me.tongfei.progressbar.ProgressBar;
import me.tongfei.progressbar.ProgressBarBuilder;
import me.tongfei.progressbar.ProgressBarStyle;

/** Shows the progress of a verb on standard error. */
public final class Progress {
  private Progress() {}

  /**
   * Returns a progress bar. It shows nothing unless the launcher found a terminal, so that a
   * redirected log has no copies of it.
   */
  public static ProgressBar bar(String name, long steps) {
    ProgressBarBuilder bar =
        new ProgressBarBuilder()
            .setTaskName(name)
            .setInitialMax(steps)
            .setStyle(ProgressBarStyle.ASCII);
    if (!Boolean.getBoolean("equipoise.terminal")) {
      bar.setConsumer(new DelegatingProgressBarConsumer(line -> {}));
    }
    return bar.build();
  }
}
