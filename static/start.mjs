// What Trunk calls while it loads the app: a failure is said on the page.
export default function start() {
  return {
    onStart() {},
    onProgress() {},
    onComplete() {},
    onSuccess() {},
    onFailure(error) {
      const root = document.documentElement;
      // An old browser has been told so already.
      if (!root.dataset.failure) root.dataset.failure = "load";
      root.dataset.posenc = "failed";
      console.warn(`posenc: ${error}`);
    },
  };
}
